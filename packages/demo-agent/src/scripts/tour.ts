import { join } from "node:path";
import { mayAct } from "../permission.ts";
import { OpenToolCall } from "../tool-call.ts";
import type { Turn } from "../turn.ts";
import {
  GREETING_AFTER,
  GREETING_BEFORE,
  readGreeting,
  searchGreeting,
  showTests,
} from "./tools.ts";

const STEPS = [
  "Find where people are greeted",
  "Handle an empty name",
  "Run the tests",
  "Sum up what changed",
];

const SUMMARY_HEAD = `## What happened

| Step | Tool | Result |
| :--- | :--- | :----- |
| Find | search, read | 2 matches |
`;

/** Everything in one turn: the first thing that a newcomer sees. */
export async function tour(hurried: Turn): Promise<undefined> {
  // Twice the usual delay: a newcomer reads along.
  const turn = hurried.withDelay(hurried.context.delayMs * 2);
  const path = join(turn.session.cwd, "src", "greeting.ts");
  await turn.think(
    "The greeting looks odd when the name is empty. I should find the function, " +
      "change it with care, and let the tests have the last word.",
  );
  await turn.plan(STEPS, 0);
  await turn.say("Let me show you a whole turn. First I look for the place.");
  await searchGreeting(turn, "greet(");
  await readGreeting(turn, path);
  await turn.plan(STEPS, 1);
  await turn.reportUsage();

  await turn.say("An empty name gives “Hello, ”. This is what I would change:");
  const edited = await proposeEdit(turn, path);
  await turn.plan(STEPS, 2);

  await turn.say(
    edited ? "Now the tests." : "Then the file stays as it is. The tests, all the same.",
  );
  await showTests(turn, "npm test -- greeting", edited);
  await turn.plan(STEPS, 3);
  await turn.beats(6);

  await turn.say(summary(edited));
  await turn.plan(STEPS, STEPS.length);
}

/** Shows a diff and asks for it; resolves with whether it was allowed. No file is touched. */
async function proposeEdit(turn: Turn, path: string): Promise<boolean> {
  const title = "Edit src/greeting.ts";
  const content = [
    { type: "diff" as const, path, oldText: GREETING_BEFORE, newText: GREETING_AFTER },
  ];
  const locations = [{ path, line: 2 }];
  const call = await OpenToolCall.start(turn, {
    title,
    name: "edit_file",
    kind: "edit",
    locations,
    content,
    rawInput: { path, oldText: GREETING_BEFORE, newText: GREETING_AFTER },
  });
  if (turn.session.config.mode === "plan") {
    await call.update({ status: "failed", rawOutput: { error: "plan mode changes nothing" } });
    return false;
  }
  const asked = { toolCallId: call.id, title, kind: "edit" as const, locations, content };
  if (!(await mayAct(turn, "edit", asked))) {
    await call.update({ status: "failed", rawOutput: { error: "not allowed" } });
    return false;
  }
  await call.update({ status: "in_progress" });
  await turn.beats(8);
  await call.update({ status: "completed", rawOutput: { replaced: 1, simulated: true } });
  return true;
}

function summary(edited: boolean): string {
  const edit = edited ? "| Edit | edit | allowed, simulated |" : "| Edit | edit | not made |";
  const tests = edited ? "| Test | shell | **3 passed** |" : "| Test | shell | **1 failed** |";
  const closing = edited
    ? '`greet("")` now says *Hello, stranger!*'
    : "Send `/tour` again and allow the edit to see the tests pass.";
  return `${SUMMARY_HEAD}${edit}
${tests}

${closing}

Everything above was scripted and no file was touched. Next you could try:

- \`/write\`, which really writes a file once you allow it
- \`/permissions 3\` for several questions at once
- \`/slow\`, then cancel it
- \`/help\` for the rest
`;
}
