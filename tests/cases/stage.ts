/** What the tests of faults from the field share: answering, waiting, and reading what was said. */
import { OPERATOR, type TestRuntime } from "@signalbox/acp-runtime/testing";
import type { DurableEvent, PendingPermission, RespondResult } from "@signalbox/protocol";
import { expect } from "vitest";

export const NEVER = new AbortController().signal;

/** Resolves with the open requests when there are at least `count`. */
export async function pending(ctx: TestRuntime, count = 1): Promise<PendingPermission[]> {
  const read = async () => (await ctx.runtime.pendingPermissions({})).requests;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  return read();
}

export function answer(
  ctx: TestRuntime,
  { sessionId, requestId }: PendingPermission,
  optionId: string,
): Promise<RespondResult> {
  return ctx.runtime.respondToPermission({ sessionId, requestId, optionId }, OPERATOR);
}

export function resultOf(ctx: TestRuntime, promptId: string, sessionId = "main") {
  return ctx.runtime.promptResult({ sessionId, promptId }, NEVER);
}

export function cancel(ctx: TestRuntime, promptId: string, sessionId = "main") {
  return ctx.runtime.cancelPrompt({ sessionId, promptId, wait: true }, OPERATOR, NEVER);
}

export async function ofType(
  ctx: TestRuntime,
  type: string,
  sessionId = "main",
): Promise<DurableEvent[]> {
  return (await ctx.events(sessionId)).filter((event) => event.type === type);
}

/** The texts of the agent's messages, each with the turn it belongs to. */
export async function spoken(ctx: TestRuntime, sessionId = "main") {
  const messages = await ofType(ctx, "agent_message_chunk", sessionId);
  return messages.map(({ content, promptId }) => ({
    text: typeof content === "object" && content !== null && "text" in content ? content.text : "",
    promptId,
  }));
}
