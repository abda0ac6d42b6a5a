import type { AppRouter } from "@signalbox/api";
import { isJsonObject } from "@signalbox/protocol";
import { createTRPCClient, httpLink } from "@trpc/client";

/** Takes the one-time code out of the address, so that neither history nor a copy keeps it. */
export function takeCode(): string | null {
  const { hash, pathname, search } = window.location;
  const code = new URLSearchParams(hash.slice(1)).get("code");
  if (hash !== "") window.history.replaceState(window.history.state, "", `${pathname}${search}`);
  return code === "" ? null : code;
}

/**
 * Trades the one-time code for a login secret.
 *
 * @throws what the server answered, with `message` and `data`
 */
export async function exchangeCode(code: string): Promise<string> {
  const response = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ code }),
  });
  const body: unknown = await response.json();
  if (isJsonObject(body) && typeof body.secret === "string") return body.secret;
  if (isJsonObject(body) && isJsonObject(body.error)) throw body.error;
  throw new Error(`The login answer was not understood (status ${response.status}).`);
}

/** @throws the API's error when the token is not valid */
export async function verifyToken(token: string): Promise<void> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new Error("A token is one word of letters, digits and signs.");
  }
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: "/trpc", headers: { authorization: `Bearer ${token}` } })],
  });
  await client.system.info.query();
}
