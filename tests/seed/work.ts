/** Turns of an agent at ordinary work. */
import { randomUUID } from "node:crypto";
import type { JsonObject } from "@signalbox/protocol";
import type { Random } from "./random.ts";
import type { SaidUpdate, SeededTurn } from "./seed-writer.ts";

const TASKS = [
  "Fix the flaky login test",
  "Write release notes for 2.4",
  "Move the payment form to the new API",
  "Find out why the nightly build is slow",
  "Add a dark theme to the settings page",
  "Upgrade the database driver",
  "Document the export format",
  "Remove the old feature flags",
  "Translate the error messages",
  "Make the search tolerate typing errors",
] as const;

const ORDERS = [
  "Have a look at the failing test and tell me what you think.",
  "Go ahead with the first of your ideas.",
  "Run the tests again, and only then commit.",
  "That broke the build. What happened?",
  "Write a test for it first, please.",
  "Explain what you changed, in two sentences.",
] as const;

const FILES = [
  "src/login/session.ts",
  "src/payment/form.tsx",
  "src/search/index.ts",
  "test/login.test.ts",
  "docs/export.md",
  "package.json",
] as const;

const COMMANDS = [
  "npm test -- login",
  "npm run build",
  "git diff --stat",
  "grep -rn featureFlag src | head -20",
  "node scripts/measure.mjs --runs 5",
] as const;

const THOUGHTS = [
  "The test waits for a fixed time. It should wait for the event instead.",
  "Two callers share this function; I must not change what it returns.",
  "The index is not used because the column is wrapped in a function.",
] as const;

const ANSWERS = [
  "The cause was a **race**: the page asked for the session before the cookie was set.\n\n```ts\nawait session.ready();\nreturn session.user;\n```\n\nI changed the order and the test passes.",
  "Here is what I found:\n\n1. The build runs the type checker twice.\n2. The cache key contains a timestamp.\n3. Everything else is fast.\n\nThe second costs the most.",
  "Done. `npm test` passes, and the diff is small.",
  "| Step | Before | After |\n| --- | ---: | ---: |\n| Install | 41 s | 12 s |\n| Build | 95 s | 33 s |\n\nThe rest did not change.",
] as const;

export function taskTitle(index: number): string {
  const title = TASKS[index % TASKS.length] ?? TASKS[0];
  const round = Math.floor(index / TASKS.length);
  return round === 0 ? title : `${title} (${round + 1})`;
}

/**
 * One turn.
 *
 * @param actions how many tool calls it has
 */
export function workTurn(random: Random, atMs: number, actions: number): SeededTurn {
  const updates = [
    thought(random),
    ...Array.from({ length: actions }, () => toolCall(random)).flat(),
    said(random.pick(ANSWERS), random.whole(800, 4_000)),
  ];
  const isFailed = random.whole(1, 40) === 1;
  return {
    text: random.pick(ORDERS),
    atMs,
    updates,
    error: isFailed
      ? {
          code: "prompt_failed",
          message: "the model is overloaded",
          details: null,
          retryable: false,
        }
      : null,
    tokens: { inputTokens: random.whole(2_000, 40_000), outputTokens: random.whole(100, 3_000) },
    cost: random.whole(1, 40) / 100,
  };
}

function thought(random: Random): SaidUpdate {
  const content = { type: "text", text: random.pick(THOUGHTS) };
  return {
    type: "agent_thought_chunk",
    fields: { content, messageId: randomUUID() },
    afterMs: random.whole(500, 3_000),
  };
}

export function said(text: string, afterMs: number): SaidUpdate {
  const fields = { content: { type: "text", text }, messageId: randomUUID() };
  return { type: "agent_message_chunk", fields, afterMs };
}

/** A permission request, what was said before its answer, and the answer. */
export function askedAndAnswered(requestId: string, between: readonly SaidUpdate[]): SaidUpdate[] {
  const options = [{ optionId: "allow", name: "Allow once", kind: "allow_once" }];
  const toolCall = { toolCallId: requestId, title: "Clean up", kind: "execute" };
  const outcome = { outcome: "selected", optionId: "allow" };
  const resolvedBy = { kind: "login", name: "console" };
  return [
    {
      type: "permission_request",
      fields: { requestId, toolCall, options, digest: "0".repeat(64) },
      afterMs: 10,
    },
    ...between,
    {
      type: "permission_response",
      fields: { requestId, outcome, status: "accepted", resolvedBy },
      afterMs: 10,
    },
  ];
}

function toolCall(random: Random): SaidUpdate[] {
  const toolCallId = randomUUID();
  const call = random.pick([editCall, commandCall, readCall]);
  const { head, content } = call(random);
  return [
    {
      type: "tool_call",
      fields: { toolCallId, status: "in_progress", ...head },
      afterMs: random.whole(200, 1_500),
    },
    {
      type: "tool_call_update",
      fields: { toolCallId, status: "completed", content },
      afterMs: random.whole(100, 9_000),
    },
  ];
}

function editCall(random: Random): { head: JsonObject; content: JsonObject[] } {
  const path = random.pick(FILES);
  const head = { title: `Edit ${path}`, kind: "edit", locations: [{ path }] };
  const oldText = `export const limit = ${random.whole(1, 9)};\nexport const unit = "ms";\n`;
  const newText = `export const limitMs = ${random.whole(10, 99)};\n`;
  return { head, content: [{ type: "diff", path, oldText, newText }] };
}

function commandCall(random: Random): { head: JsonObject; content: JsonObject[] } {
  const command = random.pick(COMMANDS);
  const head = { title: `Run ${command}`, kind: "execute", rawInput: { command } };
  const lines = Array.from(
    { length: random.whole(3, 40) },
    (_, index) => `${String(index + 1).padStart(3)} ok  checked in ${random.whole(1, 90)} ms`,
  );
  return { head, content: [textContent(lines.join("\n"))] };
}

function readCall(random: Random): { head: JsonObject; content: JsonObject[] } {
  const path = random.pick(FILES);
  const head = { title: `Read ${path}`, kind: "read", locations: [{ path, line: 12 }] };
  return { head, content: [textContent(`import { ready } from "./ready.ts";\n\nready();\n`)] };
}

function textContent(text: string): JsonObject {
  return { type: "content", content: { type: "text", text } };
}
