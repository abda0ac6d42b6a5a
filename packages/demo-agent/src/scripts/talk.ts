import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { Command } from "../command.ts";
import { wholeNumber } from "../command.ts";
import { configOptions, modelName, withOption } from "../config-options.ts";
import { shorten } from "../text.ts";
import type { Turn } from "../turn.ts";

const MAX_ECHO_CHARACTERS = 280;

/** Answers free text: an echo, a look at the other blocks, and where to go from here. */
export async function chat(turn: Turn, text: string): Promise<undefined> {
  await turn.think("A friendly note. I will say it back and point to what I can show.");
  const others = turn.context.prompt.flatMap(describeBlock);
  const echo =
    text === "" ? "You sent no text." : `You said: ${shorten(text, MAX_ECHO_CHARACTERS)}`;
  const received = others.length === 0 ? "" : `\n\nYou also sent ${others.join(", ")}.`;
  const { config } = turn.session;
  const invitation = config.concise
    ? ""
    : `\n\nI am ${modelName(config.model)}, a scripted agent: I need no key and no network. ` +
      "Try `/tour` to see everything at once, or `/help` for the list.";
  await turn.say(`${echo}${received}${invitation}`);
}

function describeBlock(block: ContentBlock): string[] {
  switch (block.type) {
    case "text":
      return [];
    case "image":
    case "audio":
      return [`an ${block.type} (${block.mimeType}, ${block.data.length} characters of base64)`];
    case "resource_link":
      return [`a link to ${block.uri}`];
    case "resource":
      return [`the content of ${block.resource.uri}`];
  }
}

const MARKDOWN = `# Heading one

A paragraph with **bold**, *italic*, \`code\`, ~~struck~~ text and a [link](https://agentclientprotocol.com).

## A table

| Signal | Aspect | Speed |
| :----- | :----: | ----: |
| Home   | green  |    80 |
| Outer  | yellow |    40 |
| Yard   | red    |     0 |

## Lists

1. First
2. Second
   - nested
   - also nested

- [x] done
- [ ] open

## Code

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}\`;
}
\`\`\`

> A quotation, to end with.
`;

const PLAN_STEPS = ["Read the request", "Find the files", "Make the change", "Check the result"];

async function longReply(turn: Turn, argument: string): Promise<undefined> {
  const [countText, delayText] = argument.split(/\s+/);
  const count = wholeNumber(countText, 100, { min: 1, max: 1_000_000 });
  const delayMs = wholeNumber(delayText, turn.context.delayMs, { min: 0, max: 60_000 });
  await turn.withDelay(delayMs).stream("agent_message_chunk", numbered(count), 1);
}

function* numbered(count: number): Generator<string> {
  for (let at = 1; at <= count; at++) yield `chunk ${at} of ${count}\n`;
}

function* endless(): Generator<string> {
  for (let at = 1; ; at++) yield `Still going, ${at}. `;
}

async function recall(turn: Turn): Promise<undefined> {
  // The last one is the question itself.
  const earlier = turn.session.prompts.slice(0, -1);
  if (earlier.length === 0) {
    await turn.say("This is the first thing you have said to me in this session.");
    return;
  }
  const lines = earlier.map(
    (prompt, index) => `${index + 1}. ${shorten(oneLine(prompt.text), 200)}`,
  );
  await turn.say(`Before this you said:\n\n${lines.join("\n")}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

async function switchMode(turn: Turn, argument: string): Promise<undefined> {
  const { session } = turn;
  session.config = withOption(session.config, "mode", argument);
  await turn.send({ sessionUpdate: "current_mode_update", currentModeId: session.config.mode });
  const withBoolean = Boolean(turn.context.clientCapabilities.session?.configOptions?.boolean);
  await turn.send({
    sessionUpdate: "config_option_update",
    configOptions: configOptions(session.config, withBoolean),
  });
  await turn.say(`I am in ${session.config.mode} mode now.`);
}

export const TALK_COMMANDS: readonly Command[] = [
  {
    name: "think",
    description: "Thinks aloud, then answers",
    run: async (turn) => {
      await turn.think("Let me see. The question is simple, yet the answer wants care. ");
      if (turn.session.config.thoughtLevel === "deep") {
        await turn.think("On the one hand it could be done at once; on the other hand, why hurry?");
      }
      await turn.say("I thought about it, and I agree.");
      return undefined;
    },
  },
  {
    name: "plan",
    description: "Shows a plan and works through it",
    run: async (turn) => {
      for (let done = 0; done <= PLAN_STEPS.length; done++) {
        await turn.plan(PLAN_STEPS, done);
        await turn.beats(10);
      }
      await turn.say("The plan is done. Nothing was changed: the steps are scripted.");
      return undefined;
    },
  },
  {
    name: "markdown",
    description: "Shows headings, a table, lists, code and a link",
    run: async (turn) => {
      await turn.say(MARKDOWN);
      return undefined;
    },
  },
  {
    name: "long",
    description: "Streams N chunks of one message",
    hint: "N [delay in ms]",
    run: longReply,
  },
  {
    name: "slow",
    description: "Streams slowly until it is cancelled",
    run: async (turn) => {
      // A floor, so that a delay of 0 does not turn this into a flood.
      await turn
        .withDelay(Math.max(20, turn.context.delayMs * 8))
        .stream("agent_message_chunk", endless(), 1);
      return undefined;
    },
  },
  { name: "recall", description: "Repeats what you said earlier in this session", run: recall },
  {
    name: "mode",
    description: "Changes the mode itself",
    hint: "ask, auto or plan",
    run: switchMode,
  },
];
