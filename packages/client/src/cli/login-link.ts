import type { SignalboxClient } from "../client.ts";
import type { Answer } from "./command.ts";

/** A fresh link: one use, ten minutes, and the link before it opens nothing any more. */
export async function loginLink(client: SignalboxClient, url: string): Promise<Answer> {
  const { code, expiresAt } = await client.api.logins.createLink.mutate({});
  // In the fragment, which no browser sends and no log holds.
  const link = `${url}/login#code=${code}`;
  return {
    lines: [`Log in at ${link}`, `It works once, until ${expiresAt}.`],
    json: { url: link, expiresAt },
  };
}
