import type { ContractRow } from "./contract-row.ts";

const BAD_INPUT = "tests/integration/bad-input.test.ts";
const CURSORS = "packages/acp-runtime/src/reads/cursors.test.ts";
const ACCESS = "tests/integration/access.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "An omitted sessionId means main",
    tests: [`${BAD_INPUT} › a mutation whose input is left out means the default session`],
  },
  {
    sentence: "Session ids: 1 to 256 bytes of UTF-8 in NFC without control characters",
    tests: [`${BAD_INPUT} › with %s is refused and leaves nothing`],
  },
  {
    sentence: "Inputs are strict: an unknown field is bad_request",
    tests: [`${BAD_INPUT} › an unknown field is named`],
  },
  {
    sentence:
      "Batches hold at most 10; an unknown procedure and a larger batch are bad_request, and nothing is run",
    tests: [
      `${BAD_INPUT} › an unknown procedure, malformed JSON and a batch over ten are bad requests`,
      `${BAD_INPUT} › a batch over the socket is run whole or not at all, too`,
    ],
  },
  {
    sentence: "A stored procedure never starts, restores or asks an adapter",
    tests: [
      "packages/acp-runtime/src/reads/stored-calls.test.ts › no stored call starts, restores or asks an adapter",
    ],
  },
  {
    sentence:
      "A foreign Host or Origin is forbidden everywhere; localhost, 127.0.0.1 and [::1] are not foreign",
    tests: [`${ACCESS} › %s with our port is not foreign`],
  },
  {
    sentence:
      "history: before and after are exclusive; neither is the newest page; with types hasMore speaks of matches",
    tests: [
      `${CURSORS} › pages meet without a gap or a repeat, backwards and forwards, by type too`,
      `${BAD_INPUT} › history refuses impossible pages`,
    ],
  },
  {
    sentence: "With nothing retained oldestSequence is latestSequence + 1",
    tests: [`${CURSORS} › a session that has nothing yet begins at 1`],
  },
  {
    sentence: "Beyond latest + 1 is history_cursor_ahead",
    tests: [
      `${CURSORS} › a place beyond the newest event is ahead, and a page may begin one beyond it`,
    ],
  },
  {
    sentence: "events: lastEventId wins over after; neither is live from now",
    tests: [
      `${CURSORS} › of a cursor and a sequence the cursor counts`,
      `${CURSORS} › without a place reading begins with what comes next`,
    ],
  },
  {
    sentence: "A cursor has at most 256 characters",
    tests: [`${CURSORS} › a cursor has at most 256 characters, whatever the session is called`],
  },
  {
    sentence: "A negative after is invalid_history_cursor",
    tests: [`${CURSORS} › a place that is no sequence is refused: %d`],
  },
  {
    sentence: "sessions.history answers exactly what is kept, over every transport",
    tests: ["tests/integration/exact-events.test.ts › over HTTP"],
  },
  {
    sentence: "system.health needs no token",
    tests: [
      `${ACCESS} › health is open and tells little`,
      "tests/integration/scopes.test.ts › health is open to all",
    ],
  },
  {
    sentence: "system.health and GET /healthz: ok, draining or degraded",
    tests: [
      "tests/integration/health.test.ts › a server that cannot store is degraded until it can",
    ],
  },
  {
    sentence: "A bug is internal without its text; over tRPC error.data has four keys",
    tests: [
      "packages/api/src/error-map.test.ts › an expected failure is told as it is, a bug without its text",
    ],
  },
  {
    sentence: "Limits are configurable and checked against each other at the start",
    tests: [
      "packages/protocol/src/limits.test.ts › limits that contradict each other are told, and the defaults do not",
    ],
  },
];
