import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import type { Command } from "../command.ts";
import { wholeNumber } from "../command.ts";
import type { Turn } from "../turn.ts";

const UNFINISHED = ["I was about to tell you ", "something important, ", "but then the proc"];

const STOP_REASONS: readonly StopReason[] = [
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
];

/** Speaks half a message and ends the process with it. */
async function exitMidway(turn: Turn, exitCode: number): Promise<never> {
  await turn.stream("agent_message_chunk", UNFINISHED, 1);
  process.exit(exitCode);
}

async function silent(turn: Turn): Promise<never> {
  turn.signal.throwIfAborted();
  return new Promise((_, reject) => {
    turn.signal.addEventListener("abort", () => reject(turn.signal.reason), { once: true });
  });
}

/** Goes on after a cancel; with a number it ends by itself after so many ticks, as if uncancelled. */
async function ignoreCancel(turn: Turn, argument: string): Promise<StopReason> {
  const ticks = wholeNumber(argument, Number.POSITIVE_INFINITY, { min: 1, max: 100_000 });
  const deaf = turn.stubborn().withDelay(Math.max(50, turn.context.delayMs * 8));
  await deaf.stream("agent_message_chunk", ticking(ticks), 1);
  return "end_turn";
}

function* ticking(count: number): Generator<string> {
  for (let at = 1; at <= count; at++) yield `I do not stop, ${at}. `;
}

async function fail(argument: string): Promise<never> {
  if (argument === "auth") throw RequestError.authRequired();
  throw RequestError.internalError({ demo: true, asked: "/error" }, "you asked for an error");
}

async function stop(turn: Turn, argument: string): Promise<StopReason | undefined> {
  const reason = STOP_REASONS.find((known) => known === argument);
  if (reason === undefined) {
    await turn.say(`I know these stop reasons: ${STOP_REASONS.join(", ")}.`);
    return undefined;
  }
  await turn.say(`This turn ends with ${reason}.`);
  return reason;
}

/** Only `DEMO_` names: the rest of the environment is the operator's. */
async function showVariable(turn: Turn, argument: string): Promise<undefined> {
  if (!/^DEMO_[A-Z0-9_]*$/.test(argument)) {
    await turn.say("I only show variables whose names begin with `DEMO_`.");
    return;
  }
  const value = process.env[argument];
  await turn.say(value === undefined ? `${argument} is not set.` : `${argument} is ${value}`);
}

export const FAULT_COMMANDS: readonly Command[] = [
  {
    name: "crash",
    description: "Ends the process with exit code 3 in the middle of a message",
    run: (turn) => exitMidway(turn, 3),
  },
  {
    name: "exit0",
    description: "Ends the process with exit code 0 in the middle of a message",
    run: (turn) => exitMidway(turn, 0),
  },
  { name: "hang", description: "Says nothing until it is cancelled", run: silent },
  {
    name: "stubborn",
    description: "Ignores cancel; with a number it ends after so many chunks",
    hint: "[N]",
    run: ignoreCancel,
  },
  {
    name: "stderr",
    description: "Writes lines to its standard error",
    hint: "N",
    run: async (turn, argument) => {
      const count = wholeNumber(argument, 3, { min: 1, max: 10_000 });
      for (let at = 1; at <= count; at++) {
        process.stderr.write(`demo agent: line ${at} of ${count}\n`);
      }
      await turn.say(`I wrote ${count} lines to my standard error.`);
      return undefined;
    },
  },
  {
    name: "error",
    description: "Answers the prompt with a JSON-RPC error; `/error auth` asks for a login",
    hint: "[auth]",
    run: (_turn, argument) => fail(argument),
  },
  { name: "stop", description: "Ends the turn with a stop reason", hint: "reason", run: stop },
  {
    name: "odd-update",
    description: "Sends an update of a kind that the protocol does not know",
    run: async (turn) => {
      await turn.sendOdd({
        sessionUpdate: "_demo/weather",
        sky: "clear",
        degrees: 21.5,
        wind: { from: "west", knots: 7 },
      });
      await turn.say("I sent an update that nobody has heard of.");
      return undefined;
    },
  },
  {
    name: "env",
    description: "Says the value of a variable whose name begins with DEMO_",
    hint: "NAME",
    run: showVariable,
  },
];
