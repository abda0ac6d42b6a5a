/** Another caller beside the page: the typed client with an API token, as a service would have it. */
import type { Page } from "@playwright/test";
import { connect, type SignalboxClient } from "@signalbox/client";
import type { SignalboxProcess } from "./signalbox-process.ts";

/** Logged in on `page`, makes a token with every scope there and connects with it. */
export async function connectRobot(
  page: Page,
  signalbox: SignalboxProcess,
  name = "robot",
): Promise<SignalboxClient> {
  const { origins } = await page.context().storageState();
  const stored = origins.flatMap(({ localStorage }) => localStorage);
  const login = stored.find((item) => item.name === "signalbox.token")?.value;
  const response = await page.request.post(`${signalbox.url}/trpc/tokens.create`, {
    headers: { authorization: `Bearer ${login}`, origin: signalbox.url },
    data: { name, scopes: ["R", "P", "A", "X"] },
  });
  const answer: { result: { data: { secret: string } } } = await response.json();
  const token = answer.result.data.secret;
  return connect({ url: signalbox.url, token });
}

/** Opens demo sessions and has each ask for a number of permissions, which then wait. */
export async function openAsking(
  { api }: SignalboxClient,
  sessions: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [sessionId, count] of Object.entries(sessions)) {
    await api.sessions.open.mutate({ sessionId, agent: "demo", permissionPolicy: "ask" });
    await api.sessions.submitPrompt.mutate({
      sessionId,
      content: [{ type: "text", text: `/permissions ${count}` }],
    });
  }
}
