import type { ContractRow } from "./contract-row.ts";

const RETENTION = "packages/acp-runtime/src/output/retention.test.ts";
const LOG = "packages/db/src/idle-checkpoint.test.ts";
const SERVER = "tests/integration/retention.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "maxSessionHistoryEvents: the oldest events are pruned, never in a read",
    tests: [
      `${RETENTION} › the oldest events go when there are more than the limit, and the page says from where`,
      `${RETENTION} › a cut takes small batches, and other writes come between them`,
      `${RETENTION} › the turn that runs loses nothing, however long it is`,
      `${SERVER} › many sessions at their limit are all kept within it, and over a restart`,
    ],
  },
  {
    sentence: "maxSessionHistoryBytes counts UTF-8 bytes",
    tests: [`${RETENTION} › bytes are counted as UTF-8, and history goes below their limit`],
  },
  {
    sentence:
      "A cursor into a pruned range is history_cursor_expired; 0 and the edge are always valid",
    tests: [
      `${RETENTION} › cursors into what was cut have expired; the edge and 0 are always good`,
      `${RETENTION} › a reader whose place is cut off under it is told, and sees no gap`,
      `${SERVER} › an old cursor has expired, and a new follower begins with the oldest that is kept`,
      `${SERVER} › a follower that keeps up sees every event, however often history is cut behind it`,
    ],
  },
  {
    sentence: "Keys live as long as their prompt rows (maxPromptsPerSession)",
    tests: [
      `${RETENTION} › idempotency keys go with the oldest prompts over the limit, and never with the newest`,
      `${RETENTION} › a retry gets the result of a turn whose output was cut`,
      `${SERVER} › a key is remembered as long as its prompt, and is a new prompt afterwards`,
    ],
  },
  {
    sentence: "A running, queued or newest prompt is never pruned (promptRetentionMs)",
    tests: [
      `${RETENTION} › prompts that are too old go, but for each session's newest, running or queued`,
    ],
  },
  {
    sentence: "A limit of history outside 1..maxHistoryPageEntries is history_limit",
    tests: [`${RETENTION} › a page of %d is refused, naming the limit`],
  },
  {
    sentence: "A page is read though one of its rows is damaged",
    tests: [`${RETENTION} › one damaged row hides no other`],
  },
  {
    sentence: "sessions.list: updatedAt descending, then sessionId ascending, by keyset",
    tests: [
      `${RETENTION} › sessions that changed in the same millisecond are listed once each, page by page`,
      "packages/db/src/session-list.test.ts › %s is read in the order of the index, from where it begins",
    ],
  },
  {
    sentence:
      "The write-ahead log stays bounded beside readers, and is emptied when writing pauses",
    tests: [
      `${LOG} › what was written is in the file when writing pauses`,
      `${LOG} › a log in use is begun anew between its readers, so that it stays small without a pause`,
      `${LOG} › one large write's log is cut by the next, without a pause`,
      `${LOG} › a log that grew under a long read is cut when the reader lets go, and that is told`,
      `${LOG} › a log that a kill left behind is in the file after the next start`,
    ],
  },
];
