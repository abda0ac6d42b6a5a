import { z } from "zod";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A timer that is set for longer fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

const atLeast = (min: number, value: number) => z.number().int().min(min).default(value);
const timer = (minMs: number, valueMs: number) =>
  z.number().int().min(minMs).max(MAX_TIMER_MS).default(valueMs);

/**
 * The limits of `limits.acp` with their defaults. Sizes end in `Bytes` and count UTF-8 bytes,
 * durations end in `Ms`.
 */
export const acpLimitsSchema = z.strictObject({
  maxPromptBytes: atLeast(1, 24 * MIB),
  maxPromptBlocks: atLeast(1, 16_384),
  maxMessageBytes: atLeast(1, 64 * MIB),
  maxTurnOutputBytes: atLeast(1, 256 * MIB),
  maxLineBytes: atLeast(KIB, 32 * MIB),
  maxFallbackContinuationBytes: atLeast(0, 256 * KIB),
  maxSessionHistoryBytes: atLeast(1, GIB),
  maxSessionHistoryEvents: atLeast(1, 1_000_000),
  maxHistoryPageEntries: atLeast(1, 10_000),
  maxSessionListEntries: atLeast(1, 1_000),
  maxSessions: atLeast(1, 100_000),
  maxQueuedPromptsPerSession: atLeast(0, 100),
  maxPromptsPerSession: atLeast(1, 100_000),
  // An age, no timer: it may be longer than one can run.
  promptRetentionMs: atLeast(0, 30 * DAY_MS),
  maxPendingPermissionsPerSession: atLeast(1, 1_000),
  maxLiveAdapters: atLeast(1, 64),
  idleUnloadMs: timer(1, 15 * MINUTE_MS),
  startTimeoutMs: timer(1, MINUTE_MS),
  packageStartTimeoutMs: timer(1, 5 * MINUTE_MS),
  cancelGraceMs: timer(0, 10_000),
  stopGraceMs: timer(0, 5_000),
  stderrTailBytes: atLeast(0, 64 * KIB),
});

export type AcpLimits = z.infer<typeof acpLimitsSchema>;

export const DEFAULT_LIMITS: AcpLimits = acpLimitsSchema.parse({});

/** The name an operator finds in the configuration file. */
export function limitPath(name: keyof AcpLimits): string {
  return `limits.acp.${name}`;
}

/**
 * Checks the limits against each other.
 *
 * @returns one sentence for each contradiction; empty when they agree
 */
export function limitContradictions(limits: AcpLimits): string[] {
  const found: string[] = [];
  if (limits.maxPromptBytes >= limits.maxLineBytes) {
    found.push(
      `limits.acp.maxPromptBytes (${limits.maxPromptBytes}) must be below limits.acp.maxLineBytes (${limits.maxLineBytes}): a prompt travels as one line`,
    );
  }
  if (limits.maxMessageBytes > limits.maxTurnOutputBytes) {
    found.push(
      `limits.acp.maxMessageBytes (${limits.maxMessageBytes}) must not exceed limits.acp.maxTurnOutputBytes (${limits.maxTurnOutputBytes})`,
    );
  }
  return found;
}
