import { join } from "node:path";
import { type Command, wholeNumber } from "../command.ts";
import { DEMO_FILE, readDemoFile, writeDemoFile } from "../demo-file.ts";
import { showCommand } from "../display-terminal.ts";
import { mayAct } from "../permission.ts";
import { OpenToolCall } from "../tool-call.ts";
import type { Turn } from "../turn.ts";

export const GREETING_BEFORE = `export function greet(name: string): string {
  return "Hello, " + name;
}
`;

export const GREETING_AFTER = `/** A greeting that copes with an empty name. */
export function greet(name: string): string {
  const who = name.trim() || "stranger";
  return \`Hello, \${who}!\`;
}
`;

/** Shows the reading of a file that need not exist; its content is scripted. */
export async function readGreeting(turn: Turn, path: string): Promise<void> {
  const call = await OpenToolCall.start(turn, {
    title: `Read ${path}`,
    name: "read_file",
    kind: "read",
    status: "in_progress",
    locations: [{ path, line: 1 }],
    rawInput: { path },
  });
  await turn.beats(8);
  await call.update({
    status: "completed",
    content: [
      { type: "content", content: { type: "text", text: `\`\`\`ts\n${GREETING_BEFORE}\`\`\`` } },
    ],
    rawOutput: { text: GREETING_BEFORE, lines: 3 },
  });
}

/** Shows a search with two hits; nothing is searched. */
export async function searchGreeting(turn: Turn, pattern: string): Promise<void> {
  const { cwd } = turn.session;
  const call = await OpenToolCall.start(turn, {
    title: `Search for "${pattern}"`,
    name: "grep",
    kind: "search",
    status: "in_progress",
    rawInput: { pattern, path: cwd },
  });
  await turn.beats(8);
  const hits = [
    { path: join(cwd, "src", "greeting.ts"), line: 1 },
    { path: join(cwd, "test", "greeting.test.ts"), line: 4 },
  ];
  const text = hits.map((hit) => `${hit.path}:${hit.line}`).join("\n");
  await call.update({
    status: "completed",
    locations: hits,
    content: [{ type: "content", content: { type: "text", text } }],
    rawOutput: { matches: hits.length, text },
  });
}

const GREEN = "\u001b[32m";
const RED = "\u001b[31m";
const DIM = "\u001b[2m";
const BOLD = "\u001b[1m";
const RESET = "\u001b[0m";

const FAILED_LINE = `${RED}✗${RESET} an empty name is greeted ${DIM}(4 ms)${RESET}\r\n`;

/** Shows a run of tests in a terminal; nothing is run. */
export async function showTests(turn: Turn, command: string, passes: boolean): Promise<void> {
  await showCommand(turn, {
    command,
    output: [
      `${BOLD}> ${command}${RESET}\r\n\r\n`,
      `${GREEN}✓${RESET} a name is greeted ${DIM}(3 ms)${RESET}\r\n`,
      `${GREEN}✓${RESET} spaces are trimmed ${DIM}(1 ms)${RESET}\r\n`,
      passes ? `${GREEN}✓${RESET} an empty name is greeted ${DIM}(1 ms)${RESET}\r\n` : FAILED_LINE,
      passes
        ? `\r\n${BOLD}Tests${RESET}  ${GREEN}3 passed${RESET} (3)\r\n`
        : `\r\n${BOLD}Tests${RESET}  ${RED}1 failed${RESET} | ${GREEN}2 passed${RESET} (3)\r\n`,
    ],
    exitCode: passes ? 0 : 1,
  });
}

/** The one script that touches the disk: `signalbox-demo.txt` in the session's folder. */
async function write(turn: Turn, argument: string): Promise<undefined> {
  const { session } = turn;
  const path = join(session.cwd, DEMO_FILE);
  if (session.config.mode === "plan") {
    await turn.say(`I am in plan mode, so I only say it: I would write \`${path}\`.`);
    return;
  }
  const oldText = await readDemoFile(session.cwd);
  const newText = `${argument || "Written by the Signalbox demo agent."}\n`;
  const call = await OpenToolCall.start(turn, {
    title: `Write ${DEMO_FILE}`,
    name: "write_file",
    kind: "edit",
    locations: [{ path }],
    rawInput: { path, content: newText },
    content: [{ type: "diff", path, oldText, newText }],
  });
  const allowed = await mayAct(turn, "edit", {
    toolCallId: call.id,
    title: `Write ${DEMO_FILE}`,
    kind: "edit",
    locations: [{ path }],
    content: [{ type: "diff", path, oldText, newText }],
  });
  if (!allowed) {
    await call.update({ status: "failed", rawOutput: { error: "not allowed" } });
    await turn.say(`You did not allow it, so I left \`${DEMO_FILE}\` alone.`);
    return;
  }
  await call.update({ status: "in_progress" });
  const failure = await writeDemoFile(session.cwd, newText);
  if (failure !== undefined) {
    await call.update({ status: "failed", rawOutput: { error: failure } });
    await turn.say(`I could not write \`${path}\`: ${failure}.`);
    return;
  }
  await call.update({ status: "completed", rawOutput: { bytes: Buffer.byteLength(newText) } });
  await turn.say(`I wrote \`${path}\`. This one is real: look for it on the disk.`);
}

async function runTests(turn: Turn, argument: string): Promise<undefined> {
  const passes = argument !== "fail";
  const command = argument === "" || !passes ? "npm test" : argument;
  await showTests(turn, command, passes);
  await turn.say(
    passes
      ? `\`${command}\` ended with 0. It was simulated: I run nothing.`
      : `\`${command}\` ended with 1, as you asked. It was simulated: I run nothing.`,
  );
}

/** Announces and ends N calls, one after the other and without a pause. */
async function manyCalls(turn: Turn, argument: string): Promise<undefined> {
  const count = wholeNumber(argument, 10, { min: 1, max: 100_000 });
  for (let at = 1; at <= count; at++) {
    const call = await OpenToolCall.start(turn, { title: `Step ${at} of ${count}`, kind: "other" });
    await call.update({ status: "completed" });
  }
  await turn.say("That was the last step.");
}

export const TOOL_COMMANDS: readonly Command[] = [
  {
    name: "read",
    description: "Shows the reading of a file (simulated)",
    hint: "path",
    run: async (turn, argument) => {
      await readGreeting(turn, join(turn.session.cwd, argument || "src/greeting.ts"));
      await turn.say("I have read it. The content is scripted, whatever the path.");
      return undefined;
    },
  },
  {
    name: "search",
    description: "Shows a search through the workspace (simulated)",
    hint: "pattern",
    run: async (turn, argument) => {
      await searchGreeting(turn, argument || "greet");
      await turn.say("Two matches, both scripted.");
      return undefined;
    },
  },
  {
    name: "write",
    description: `Asks for permission, then really writes ${DEMO_FILE} in the workspace`,
    hint: "text",
    run: write,
  },
  {
    name: "run",
    description: "Shows a command in a terminal (simulated); `/run fail` ends with 1",
    hint: "command",
    run: runTests,
  },
  {
    name: "steps",
    description: "Makes N tool calls in a row (simulated)",
    hint: "N",
    run: manyCalls,
  },
];
