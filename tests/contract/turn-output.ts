import type { ContractRow } from "./contract-row.ts";

const TURNS = "packages/acp-runtime/src/turns/turns.test.ts";
const ODD = "packages/acp-runtime/src/adapter/misbehaving-adapters.test.ts";
const FAULTS = "tests/cases/turn-faults.test.ts";
const WIRE = "packages/acp-runtime/src/wire/wire.test.ts";
const REDACTION = "packages/acp-runtime/src/output/redaction.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "Updates are handled in wire order and live at once",
    tests: [
      `${WIRE} › everything is handled in the order of the wire`,
      `${WIRE} › an answer takes its place between the updates before and after it`,
      "tests/cases/wire-faults.test.ts › events that come from everywhere at once have dense sequences",
    ],
  },
  {
    sentence: "Chunks of one message are one event; a boundary commits the message",
    tests: [
      `${TURNS} › a prompt is stored, answered and ended in the order it happened`,
      `${TURNS} › a message told live is told once, whatever is stored in its middle`,
    ],
  },
  {
    sentence:
      "An exit, a cancel, a failure and an ordered stop keep all text spoken so far, marked as partial",
    tests: [
      `${TURNS} › a crash keeps what was said, tells how the agent ended and fails the turn`,
      `${TURNS} › a cancel is cancelled whatever the agent answers, and what was said is kept as partial`,
      `${TURNS} › after a cancel everything still said is marked as cut short`,
      "packages/acp-runtime/src/adapter/adapter-endings.test.ts › what was said outside a turn just before %s is kept",
    ],
  },
  {
    sentence: "After a kill recovery stores the checkpoint of the open message as partial",
    tests: [
      `${TURNS} › after a kill every started turn is closed, and queued prompts stay queued`,
      "tests/integration/crash-recovery.test.ts › a server killed in a turn closes it as uncertain, keeps its text and goes on",
    ],
  },
  {
    sentence: "Unknown update kinds and extra fields are kept",
    tests: [
      `${ODD} › an update of an unknown kind is kept as it came`,
      "tests/cases/wire-faults.test.ts › unknown kinds of updates, of content and of fields are kept and fail no turn",
    ],
  },
  {
    sentence:
      "Known secrets are replaced by [redacted:NAME]; a delta holds back only what could begin one",
    tests: [
      `${REDACTION} › a secret spoken in pieces of any size never shows, and nothing else is lost`,
      `${REDACTION} › a piece is held back only by what could begin a secret`,
    ],
  },
  {
    sentence: "Output after the end is out-of-turn and never joins the next turn",
    tests: [
      `${TURNS} › output behind the answer in the same write is not of the turn`,
      `${FAULTS} › output behind the answer is kept in its order and belongs to no turn`,
      `${FAULTS} › late words of a turn that was cancelled do not join the next turn`,
      `${FAULTS} › the rest of an answered message is kept and is not of the next turn`,
    ],
  },
  {
    sentence:
      "stopReason is one of ACP's; after a cancel it is cancelled whatever the adapter answered",
    tests: [
      `${TURNS} › a stop reason that ACP does not know fails the turn`,
      `${TURNS} › a cancel is cancelled whatever the agent answers, and what was said is kept as partial`,
    ],
  },
  {
    sentence:
      "turn_ended.openToolCalls names calls neither completed nor failed; no agent event is invented",
    tests: [
      `${FAULTS} › tool calls that an exit leaves open are named at the end of the turn, and none is invented`,
    ],
  },
];
