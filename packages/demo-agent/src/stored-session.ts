import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import { z } from "zod";
import { configSchema, DEFAULT_CONFIG } from "./config-options.ts";
import { shorten } from "./text.ts";

/** Our own ids only: an id becomes a file name, so nothing else may pass. */
const SESSION_ID = /^demo-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isSessionId(value: string): boolean {
  return SESSION_ID.test(value);
}

const REPLAYED_KINDS = [
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "plan",
];

// Written by this program from typed updates; the kind is what replay depends on.
const replayedUpdate = z.custom<SessionUpdate>(
  (value) => {
    const parsed = z.looseObject({ sessionUpdate: z.string() }).safeParse(value);
    return parsed.success && REPLAYED_KINDS.includes(parsed.data.sessionUpdate);
  },
  { error: "not an update that can be replayed" },
);

export const storedSessionSchema = z.object({
  format: z.literal(1),
  sessionId: z.string().regex(SESSION_ID),
  cwd: z.string(),
  additionalDirectories: z.array(z.string()),
  title: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  config: configSchema,
  /** Kinds of action the operator allowed for good. */
  alwaysAllowed: z.array(z.string()),
  usage: z.object({ usedTokens: z.number(), costMicroUsd: z.number() }),
  prompts: z.array(z.object({ text: z.string(), at: z.string() })),
  transcript: z.array(replayedUpdate),
});

export type StoredSession = z.infer<typeof storedSessionSchema>;

const BASE_CONTEXT_TOKENS = 1_800;
const MAX_TITLE_CHARACTERS = 60;
const MAX_PROMPTS = 200;
const MAX_PROMPT_CHARACTERS = 2_000;

export function newStoredSession(
  sessionId: string,
  cwd: string,
  additionalDirectories: string[],
): StoredSession {
  const now = new Date().toISOString();
  return {
    format: 1,
    sessionId,
    cwd,
    additionalDirectories,
    title: null,
    createdAt: now,
    updatedAt: now,
    config: DEFAULT_CONFIG,
    alwaysAllowed: [],
    usage: { usedTokens: BASE_CONTEXT_TOKENS, costMicroUsd: 0 },
    prompts: [],
    transcript: [],
  };
}

/** Remembers a prompt; the oldest of more than 200 is forgotten. */
export function rememberPrompt(session: StoredSession, text: string): void {
  const at = new Date().toISOString();
  session.updatedAt = at;
  session.prompts.push({ text: text.slice(0, MAX_PROMPT_CHARACTERS), at });
  if (session.prompts.length > MAX_PROMPTS) session.prompts.shift();
}

/** A one-line title made of a prompt. */
export function titleOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line === "" ? "Untitled" : shorten(line, MAX_TITLE_CHARACTERS);
}

/**
 * The words that decide what a prompt does: the first text block that is a command, else the
 * last text block. A client may put instructions or files before what the user typed.
 */
export function decidingText(prompt: readonly ContentBlock[]): string {
  const texts = prompt.flatMap((block) => (block.type === "text" ? [block.text.trim()] : []));
  return (
    texts.find((text) => /^\/[a-z]/i.test(text)) ?? texts.findLast((text) => text !== "") ?? ""
  );
}
