/**
 * Decides what the stand-in answers: the last user turn is its script, one directive a line.
 *
 *   run: <command>      a shell call
 *   ask: <command>      a shell call that asks to leave the sandbox, where the tool knows of one
 *   say: <text>         these words, in pieces of five characters
 *   think: <text>       a thought, then a short answer
 *   slow: <n> <ms>      n chunks of text, one each ms
 *   big: <bytes>        a long answer in chunks of 1 KiB
 *   history:            the last line of each user turn it was sent
 *   fail: <status> <message>   that HTTP status in the dialect's error shape
 *   hang:               nothing, until the client goes away
 *
 * `{key}` stands for the API key that came with the request: a model that knows a secret.
 * Without a directive it greets; after a tool's result it says "Done: " and the result.
 */
import { type Answer, type AnswerPart, type ModelRequest, userTurns } from "./conversation.ts";
import { shellCall } from "./shell-call.ts";

type Directive = (argument: string, request: ModelRequest) => Answer;

const directives: Record<string, Directive> = {
  run: (command, request) => parts(say("Let me do that. "), shellCall(request, command, "sandbox")),
  ask: (command, request) => parts(say("Let me do that. "), shellCall(request, command, "outside")),
  say: (text) => parts(...pieces(text, 5)),
  think: (text) => parts({ kind: "thought", text }, say("I thought about it.")),
  slow: (argument) => parts(...slowChunks(argument)),
  big: (bytes) => parts(...pieces(bigText(Number(bytes)), 1024)),
  history: (_, request) => parts(say(userTurns(request).map(lastLine).join(" | "))),
  fail: (argument) => {
    const [status, ...message] = argument.split(" ");
    return { kind: "error", status: Number(status), message: message.join(" ") };
  },
  hang: () => ({ kind: "silence" }),
};

const DIRECTIVE_LINE = new RegExp(`^(${Object.keys(directives).join("|")}):[ \\t]*(.*)$`, "m");

export const GREETING = "Hello from the stand-in.";

export function answerTo(request: ModelRequest, apiKey: string): Answer {
  const last = request.turns.at(-1);
  if (last?.role === "tool") {
    return parts(say(`Done: ${last.text.replace(/\s+/g, " ").slice(0, 200)}`));
  }
  const [, name = "", argument = ""] = DIRECTIVE_LINE.exec(userTurns(request).at(-1) ?? "") ?? [];
  const directive = directives[name];
  if (directive) return directive(argument.trim().replaceAll("{key}", apiKey), request);
  return parts(...GREETING.split(/(?<= )/).map(say));
}

/** What `slow: <count>` says in the end. */
export function slowText(count: number): string {
  return Array.from({ length: count }, (_, index) => `chunk ${index + 1} `).join("");
}

/** What `big: <bytes>` says in the end: numbered lines, so that a lost or doubled one shows. */
export function bigText(bytes: number): string {
  let text = "";
  for (let line = 0; text.length < bytes; line += 1) text += `line ${line}\n`;
  return text.slice(0, bytes);
}

function slowChunks(argument: string): AnswerPart[] {
  const [count = 5, afterMs = 100] = argument.split(/\s+/).map(Number);
  return slowText(count)
    .split(/(?<= )(?=chunk)/)
    .map((text) => ({ kind: "text", text, afterMs }));
}

function pieces(text: string, length: number): AnswerPart[] {
  return (text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? []).map(say);
}

function say(text: string): AnswerPart {
  return { kind: "text", text };
}

function parts(...list: AnswerPart[]): Answer {
  return { kind: "parts", parts: list };
}

/** The words the user typed come last; agents put context of their own in front. */
function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
