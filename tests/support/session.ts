import type { DurableEvent, Followed, SessionClient, SessionEvent } from "./types.ts";

export type EventTest = (event: SessionEvent) => boolean;

/** Opens a session in the server's workspace; with the demo agent unless another is named. */
export async function openSession(
  client: SessionClient,
  sessionId: string,
  options: { agent?: string; permissionPolicy?: "allow_all" | "reject_all" | "ask" } = {},
): Promise<void> {
  await client.api.sessions.open.mutate({ sessionId, agent: "demo", ...options });
}

export async function submit(
  client: SessionClient,
  sessionId: string,
  text: string,
  options: { idempotencyKey?: string; whenBusy?: "reject" | "queue" } = {},
): Promise<string> {
  const content = [{ type: "text", text }];
  const { promptId } = await client.api.sessions.submitPrompt.mutate({
    sessionId,
    content,
    ...options,
  });
  return promptId;
}

/** Everything retained, page by page; fails when the sequences have a gap. */
export async function historyOf(client: SessionClient, sessionId: string): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  let after = 0;
  for (;;) {
    const page = await client.api.sessions.history.query({ sessionId, after, limit: 500 });
    events.push(...page.events);
    if (!page.hasMoreAfter) break;
    after = page.events.at(-1)?.sequence ?? after;
  }
  const first = events[0]?.sequence ?? 1;
  const gap = events.findIndex((event, index) => event.sequence !== first + index);
  if (gap !== -1) throw new Error(`the history has a gap at index ${gap}`);
  return events;
}

/** Follows from the oldest event until one that fits, and lets go. */
export async function untilEvent(
  client: SessionClient,
  sessionId: string,
  fits: EventTest,
): Promise<SessionEvent> {
  for await (const { event } of client.followSession({ sessionId, after: 0 })) {
    if (fits(event)) return event;
  }
  throw new Error("the stream ended before the event came");
}

/** Follows from the oldest event up to and with the end of the prompt. */
export async function itemsUntilEnd(
  client: SessionClient,
  sessionId: string,
  promptId: string,
  from: { after?: number; lastEventId?: string } = { after: 0 },
): Promise<Followed[]> {
  const items: Followed[] = [];
  for await (const item of client.followSession({ sessionId, ...from })) {
    items.push(item);
    if (isEndOf(promptId)(item.event)) return items;
  }
  throw new Error("the stream ended before the turn did");
}

export function isEndOf(promptId: string): EventTest {
  return (event) => event.type === "_signalbox/turn_ended" && event.promptId === promptId;
}

export function isType(type: string): EventTest {
  return (event) => event.durability === "durable" && event.type === type;
}

export function isDelta(event: SessionEvent): boolean {
  return event.durability === "ephemeral" && event.type === "agent_message_chunk";
}

/** The text block of a message event; empty without one. */
export function textOf(event: SessionEvent): string {
  const { content } = event;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return "";
  return typeof content.text === "string" ? content.text : "";
}

/** What the agent said in the turn, from committed events. */
export function spokenIn(events: readonly SessionEvent[], promptId: string): string {
  return events
    .filter((event) => event.promptId === promptId && isType("agent_message_chunk")(event))
    .map(textOf)
    .join("");
}
