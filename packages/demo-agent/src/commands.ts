import type { AvailableCommand, StopReason } from "@agentclientprotocol/sdk";
import type { Command } from "./command.ts";
import { ASK_COMMANDS } from "./scripts/asks.ts";
import { FAULT_COMMANDS } from "./scripts/faults.ts";
import { QUESTION_COMMANDS } from "./scripts/questions.ts";
import { chat, TALK_COMMANDS } from "./scripts/talk.ts";
import { TOOL_COMMANDS } from "./scripts/tools.ts";
import { tour } from "./scripts/tour.ts";
import type { Turn } from "./turn.ts";

const TOUR: Command = {
  name: "tour",
  description: "Shows everything in one turn, in about six seconds",
  run: tour,
};

const HELP: Command = {
  name: "help",
  description: "Lists every command",
  run: async (turn) => {
    await turn.say(helpText());
    return undefined;
  },
};

const SECTIONS: readonly { title: string; commands: readonly Command[] }[] = [
  { title: "Start here", commands: [TOUR, HELP] },
  { title: "Talk", commands: TALK_COMMANDS },
  { title: "Tools", commands: TOOL_COMMANDS },
  { title: "Questions", commands: [...ASK_COMMANDS, ...QUESTION_COMMANDS] },
  { title: "Trouble", commands: FAULT_COMMANDS },
];

const COMMANDS = SECTIONS.flatMap((section) => section.commands);

/** Tried in order, on text that is no command. */
const WORDS: readonly { pattern: RegExp; command: string }[] = [
  { pattern: /what (did|have) i (say|said|tell|told)|\bdo you remember\b/i, command: "recall" },
  { pattern: /what can you do|^help\b/i, command: "help" },
  { pattern: /\b(take|give|show) me .*\btour\b|^(the )?tour\b/i, command: "tour" },
  { pattern: /\bask\b.*\b(permission|approval)\b|\bneed approval\b/i, command: "permission" },
  { pattern: /\bask me a question\b/i, command: "question" },
  { pattern: /\bask me to (open|follow) a link\b/i, command: "link" },
  { pattern: /\b(run|execute)\b.*\b(tests?|command|build)\b/i, command: "run" },
  { pattern: /\b(write|edit|create|change|modify)\b.*\bfile\b/i, command: "write" },
  { pattern: /\bread\b.*\bfile\b/i, command: "read" },
  { pattern: /\bsearch (for|through|the)\b/i, command: "search" },
  { pattern: /\b(make|show)\b.*\bplan\b/i, command: "plan" },
  { pattern: /\bthink (hard|aloud|about)\b/i, command: "think" },
  { pattern: /\bshow\b.*\b(markdown|table)\b/i, command: "markdown" },
];

/** A prompt may be megabytes; what decides is at its beginning. */
const MAX_WORDS_CHARACTERS = 500;
const MAX_ARGUMENT_CHARACTERS = 4_000;

/** Answers a prompt by the command that its text names, by its words, or with an echo. */
export async function answer(turn: Turn, text: string): Promise<StopReason | undefined> {
  const slash = /^\/([a-z0-9-]+)(?:\s+([\s\S]*))?$/i.exec(text);
  if (slash) {
    const name = slash[1]?.slice(0, 40).toLowerCase();
    const command = COMMANDS.find((known) => known.name === name);
    const argument = (slash[2] ?? "").slice(0, MAX_ARGUMENT_CHARACTERS).trim();
    if (command !== undefined) return command.run(turn, argument);
    await turn.say(`I do not know \`/${name}\`. \`/help\` lists what I know.`);
    return undefined;
  }
  const beginning = text.slice(0, MAX_WORDS_CHARACTERS);
  const named = WORDS.find(({ pattern }) => pattern.test(beginning))?.command;
  const command = COMMANDS.find((known) => known.name === named);
  return command === undefined ? chat(turn, text) : command.run(turn, "");
}

/** The commands as the client lists them. */
export function availableCommands(): AvailableCommand[] {
  return COMMANDS.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint === undefined ? {} : { input: { hint } }),
  }));
}

function helpText(): string {
  const sections = SECTIONS.map(({ title, commands }) => {
    const lines = commands.map(({ name, hint, description }) => {
      const usage = hint === undefined ? `/${name}` : `/${name} ${hint}`;
      return `- \`${usage}\`: ${description}`;
    });
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# What I can show

I am a scripted agent: no model, no key, no network. Everything is **simulated**, except
\`/write\`, which writes \`signalbox-demo.txt\` in the workspace once you allow it.

${sections.join("\n\n")}

Plain words work for the main ones: “please edit a file”, “ask me for permission”, “ask me a question”,
“run the tests”, “make a plan”, “what did I say before?”. Anything else I say back to you.
`;
}
