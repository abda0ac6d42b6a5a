/** Finders for OpenedSession.until: each gives what it looks for, or undefined. */
import { OWN_EVENT, type SessionEvent } from "@signalbox/protocol";
import { z } from "zod";
import { textOf } from "../support/session.ts";

const permissionRequestEvent = z.looseObject({
  durability: z.literal("durable"),
  type: z.literal("permission_request"),
  requestId: z.string(),
  digest: z.string(),
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })),
});
type PermissionRequestEvent = z.infer<typeof permissionRequestEvent>;

const turnEndedEvent = z.looseObject({
  type: z.literal(OWN_EVENT.turnEnded),
  promptId: z.string(),
  stopReason: z.string().optional(),
  openToolCalls: z.array(z.string()),
});

const restoredEvent = z.looseObject({
  type: z.literal(OWN_EVENT.restored),
  mode: z.string(),
});

export function permissionRequest(event: SessionEvent): PermissionRequestEvent | undefined {
  return permissionRequestEvent.safeParse(event).data;
}

export function turnEndOf(promptId: string) {
  return (event: SessionEvent): z.infer<typeof turnEndedEvent> | undefined => {
    const { data } = turnEndedEvent.safeParse(event);
    return data?.promptId === promptId ? data : undefined;
  };
}

export function restoration(event: SessionEvent): z.infer<typeof restoredEvent> | undefined {
  return restoredEvent.safeParse(event).data;
}

/** A live piece of the agent's message that has these words. */
export function deltaWith(words: string) {
  return (event: SessionEvent): SessionEvent | undefined =>
    event.durability === "ephemeral" && textOf(event).includes(words) ? event : undefined;
}

/** @throws Error when the request offers no option of that kind */
export function optionOf({ options }: PermissionRequestEvent, kind: string): string {
  const option = options.find((candidate) => candidate.kind === kind);
  if (!option) throw new Error(`no ${kind} among ${options.map((offered) => offered.kind)}`);
  return option.optionId;
}

export function isAgentMessage({ type }: SessionEvent): boolean {
  return type === "agent_message_chunk";
}
