import type { AcpLimits } from "@signalbox/protocol";
import type { ContractRow } from "./contract-row.ts";

const PROMPTS = "packages/acp-runtime/src/turns/prompt-limits.test.ts";
const COUNTS = "packages/acp-runtime/src/output/count-limits.test.ts";
const TIMES = "packages/acp-runtime/src/sessions/time-limits.test.ts";
const PAGES = `${COUNTS} › maxSessionListEntries and maxHistoryPageEntries: a page may be as long`;
const START = `${TIMES} › %s: a start may take as long, and no longer`;
const STDERR = "packages/acp-runtime/src/adapter/stderr-tail.test.ts";

/**
 * Every limit, and the tests that go to it, one above and far above. Those that refuse check
 * `{limit, max, actual}`.
 */
export const LIMIT_TESTS: Readonly<Record<keyof AcpLimits, readonly string[]>> = {
  maxPromptBytes: [
    `${PROMPTS} › maxPromptBytes counts the content's JSON in UTF-8, at the limit, above and far above`,
    "tests/integration/bad-input.test.ts › with a body that no limit allows is refused, too",
  ],
  maxPromptBlocks: [
    `${PROMPTS} › maxPromptBlocks counts blocks, at the limit, above and far above`,
  ],
  maxMessageBytes: [
    `${PROMPTS} › maxMessageBytes is what one message may have; above it the turn fails with the limit`,
  ],
  maxTurnOutputBytes: [
    `${PROMPTS} › maxTurnOutputBytes is what one turn may say; above it the turn fails and the agent is told`,
    `${PROMPTS} › an agent that talks on over the limit of its turn is stopped after the grace`,
  ],
  maxLineBytes: [
    `${PROMPTS} › maxLineBytes is what one line may have; above it the turn fails and the next one runs`,
  ],
  maxFallbackContinuationBytes: [
    "packages/acp-runtime/src/sessions/restore.test.ts › the record is never above maxFallbackContinuationBytes, and keeps the newest words",
    "packages/acp-runtime/src/sessions/restore.test.ts › one message that is larger than the record may be is cut, not left out",
  ],
  maxSessionHistoryBytes: [`${COUNTS} › maxSessionHistoryBytes: as many bytes stay`],
  maxSessionHistoryEvents: [`${COUNTS} › maxSessionHistoryEvents: as many events stay`],
  maxHistoryPageEntries: [PAGES],
  maxSessionListEntries: [PAGES],
  maxSessions: [
    `${COUNTS} › maxSessions: as many sessions exist, and one that is deleted makes room`,
    "packages/acp-runtime/src/sessions/session-starts.test.ts › opens that come at once cannot exceed the number of sessions together",
  ],
  maxQueuedPromptsPerSession: [
    "packages/acp-runtime/src/turns/queued-prompts.test.ts › a full queue refuses with the limit, and takes again when a place is free",
    "packages/acp-runtime/src/turns/queued-prompts.test.ts › of many prompts that come at once one runs, the queue's places are taken and the rest is refused",
  ],
  maxPromptsPerSession: [`${COUNTS} › maxPromptsPerSession: as many prompts stay`],
  promptRetentionMs: [
    `${TIMES} › promptRetentionMs: a prompt is kept as long after its end, but for the newest`,
  ],
  maxPendingPermissionsPerSession: [
    `${COUNTS} › maxPendingPermissionsPerSession: as many requests wait, the rest is refused`,
  ],
  maxLiveAdapters: [
    `${COUNTS} › maxLiveAdapters: as many run; with all of them busy no other starts`,
  ],
  idleUnloadMs: [`${TIMES} › idleUnloadMs: an idle adapter lives until then`],
  startTimeoutMs: [START],
  packageStartTimeoutMs: [START],
  cancelGraceMs: [
    `${TIMES} › cancelGraceMs: an agent has as long to end a cancelled turn, then it is stopped`,
  ],
  stopGraceMs: [`${TIMES} › stopGraceMs: an adapter has as long to end, then it is killed`],
  stderrTailBytes: [
    `${STDERR} › what fits is kept whole`,
    `${STDERR} › the last bytes are kept, and characters are never cut`,
    `${STDERR} › a flood in small pieces keeps its end`,
  ],
};

export const rows: readonly ContractRow[] = Object.entries(LIMIT_TESTS).map(([limit, tests]) => ({
  sentence: `The limit ${limit}, at it, one above and far above`,
  tests,
}));
