/** What differs between agents, as data. A line stands here only with the fact that forces it. */
import type { JsonObject } from "@signalbox/protocol";

/**
 * How instructions reach an agent that does not offer ACP's `systemPrompt` field. Without any of
 * these they lead its first prompt, marked as the operator's.
 */
export type InstructionsChannel =
  /** `_meta.systemPrompt.append` of `session/new`, `session/load` and `session/resume`. */
  | { readonly kind: "meta" }
  | { readonly kind: "environment"; readonly name: string }
  /** The flag and, as the next argument, the text. */
  | { readonly kind: "argument"; readonly flag: string };

export interface AgentProfile {
  readonly instructions: InstructionsChannel | null;
  /** Whether this build of the agent is of no use after a cancel until it was started again. */
  readonly isSpentByCancel: (agentInfo: JsonObject) => boolean;
}

/** What holds for any agent that keeps to the protocol. */
export const GENERIC_PROFILE: AgentProfile = {
  instructions: null,
  isSpentByCancel: () => false,
};

const CLAUDE: AgentProfile = {
  // claude-agent-acp 0.23.1 takes no systemPrompt field and appends this one to its own prompt;
  // from 0.101 on it offers the field, which is used then.
  instructions: { kind: "meta" },
  // 0.23.1 answers the prompt after a cancel at once and with nothing, and every later one with
  // the answer to the one before.
  isSpentByCancel: ({ name, version }) =>
    String(name).includes("claude-agent-acp") && version === "0.23.1",
};

/** By the name in the configuration. The facts of the others force nothing beyond the protocol. */
const PROFILES: ReadonlyMap<string, AgentProfile> = new Map([
  ["claude", CLAUDE],
  ["codex", GENERIC_PROFILE],
  ["gemini", GENERIC_PROFILE],
  ["opencode", GENERIC_PROFILE],
  ["pi", GENERIC_PROFILE],
  ["copilot", GENERIC_PROFILE],
  ["qwen", GENERIC_PROFILE],
  ["cline", GENERIC_PROFILE],
]);

export const PROFILE_NAMES: readonly string[] = [...PROFILES.keys()];

/** @returns undefined when there is no such profile */
export function profileOf(name: string): AgentProfile | undefined {
  return PROFILES.get(name);
}
