/** Agents that ask, and the words for what a test of questions waits for. */
import type { JsonObject, PendingQuestion, QuestionAction } from "@signalbox/protocol";
import { expect } from "vitest";
import { type ScriptedAgent, type ScriptedVoice, scriptedAgent } from "./scripted-agent.ts";
import { OPERATOR, type TestRuntime } from "./test-runtime.ts";

export const NAME_FORM: JsonObject = {
  type: "object",
  properties: { name: { type: "string", title: "Name", minLength: 2 } },
  required: ["name"],
};

export function form(voice: ScriptedVoice, requestedSchema = NAME_FORM): JsonObject {
  return { sessionId: voice.sessionId, mode: "form", message: "Who is it?", requestedSchema };
}

export function link(voice: ScriptedVoice, elicitationId = "private-1"): JsonObject {
  const url = "https://example.org/log-in?for=agent";
  return { sessionId: voice.sessionId, mode: "url", message: "Log in, please", elicitationId, url };
}

/** Says what it was answered, then ends its turn. */
export function curious(ask: (voice: ScriptedVoice) => JsonObject = form): ScriptedAgent {
  return scriptedAgent(async (turn) => {
    await turn.say("Wait. ");
    await turn.say(JSON.stringify(await turn.requestRaw("elicitation/create", ask(turn))));
    return "end_turn";
  });
}

export async function pendingQuestions(ctx: TestRuntime, count = 1): Promise<PendingQuestion[]> {
  const read = async () => (await ctx.runtime.pendingQuestions({})).requests;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  return read();
}

export async function theQuestion(ctx: TestRuntime): Promise<PendingQuestion> {
  const [question] = await pendingQuestions(ctx);
  if (!question) throw new Error("nothing is pending");
  return question;
}

export function answer(
  ctx: TestRuntime,
  { sessionId, requestId }: { sessionId: string; requestId: string },
  action: QuestionAction,
  content?: JsonObject,
) {
  return ctx.runtime.respondToQuestion({ sessionId, requestId, action, content }, OPERATOR);
}

export async function answered(ctx: TestRuntime): Promise<JsonObject[]> {
  const events = await ctx.events();
  return events.filter(({ type }) => type === "_signalbox/question_response");
}

export async function lastWords(ctx: TestRuntime): Promise<unknown> {
  const said = (await ctx.events()).filter(({ type }) => type === "agent_message_chunk");
  const content = said.at(-1)?.content;
  return typeof content === "object" && content !== null && "text" in content ? content.text : null;
}
