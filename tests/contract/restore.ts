import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const LIFECYCLE = `${RUNTIME}/sessions/session-lifecycle.test.ts`;
const TURNS = `${RUNTIME}/turns/turns.test.ts`;
const STORED = `${RUNTIME}/reads/stored-calls.test.ts`;
const RESTORE = `${RUNTIME}/sessions/restore.test.ts`;
const FOLD = `${RUNTIME}/output/fold.test.ts`;
const ENDINGS = `${RUNTIME}/adapter/adapter-endings.test.ts`;
const USAGE = `${RUNTIME}/reads/usage-summary.test.ts`;
const RESTORE_FAULTS = "tests/cases/restore-faults.test.ts";
const WIRE_FAULTS = "tests/cases/wire-faults.test.ts";
const BAD_INPUT = "tests/integration/bad-input.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "Restore. session/resume if offered, else session/load (its replay is suppressed)",
    tests: [
      `${LIFECYCLE} › a session is resumed where the agent can, else loaded with its replay kept out`,
      `${RESTORE} › a resume is one call with the session's folder and servers, and adds one event`,
      `${RESTORE} › a replay is kept out of history whatever is in it, and what follows its answer is kept`,
    ],
  },
  {
    sentence:
      "else session/new with a bounded, readable continuation preamble built from our history",
    tests: [
      `${LIFECYCLE} › an agent that has forgotten the session is told what was said, once, and not in history`,
      `${RESTORE} › the record that a continued agent gets has each turn's words in order and no noise`,
      `${RESTORE} › the record is never above maxFallbackContinuationBytes, and keeps the newest words`,
      `${RESTORE} › one message that is larger than the record may be is cut, not left out`,
      `${RESTORE} › the record is given once: not again after it was sent, again when it was not`,
    ],
  },
  {
    sentence: "An error of one tier falls to the next",
    tests: [
      `${RESTORE} › each means that answers with %s falls to the next`,
      `${RESTORE_FAULTS} › an adapter that dies in %s costs that means only`,
      `${RESTORE_FAULTS} › an agent that stays silent in a restore is given up, and the next means brings the session back`,
      `${WIRE_FAULTS} › a replay with a line over the limit falls to the next means, and the session lives on`,
      `${RESTORE_FAULTS} › a session whose every tier fails is tried once for each prompt, with the agent's own error`,
    ],
  },
  {
    sentence: "Which one was used is an event _signalbox/restored {mode, reason?}",
    tests: [
      `${RESTORE} › a resume is one call with the session's folder and servers, and adds one event`,
      `${RESTORE} › an agent that offers no means to restore is told so in the event, and continued`,
    ],
  },
  {
    sentence: "Original cwd, directories, env and MCP servers are applied again",
    tests: [
      `${RESTORE_FAULTS} › every start gets the servers, folders, environment and arguments that the session was opened with`,
      `${RESTORE_FAULTS} › each session keeps the folder it was opened with, one behind a symlink too`,
    ],
  },
  {
    sentence: "Only differing configuration values are set",
    tests: [`${RESTORE} › only settings that differ are set again, options and mode alike`],
  },
  {
    sentence: "A refused value is reported (_signalbox/config_refused), not fatal",
    tests: [
      `${LIFECYCLE} › options that the session had are set again after a restore; a refusal is an event`,
      `${RESTORE_FAULTS} › a mode that the agent no longer offers does not stop the restore, and the truth is shown`,
    ],
  },
  {
    sentence: "Restore is lazy (next prompt, open or setConfigOption)",
    tests: [
      `${STORED} › a prompt, an open and a changed option bring an unloaded session back, each with one start`,
      `${RESTORE} › a server that was killed restores its sessions by their next use, none before`,
      `${RESTORE} › a changed option restores the session, and nothing else is asked of the agent`,
    ],
  },
  {
    sentence: "Stored calls never start, restore or ask an adapter",
    tests: [
      `${STORED} › no stored call starts, restores or asks an adapter`,
      `${STORED} › after a kill the same calls start nothing either`,
    ],
  },
  {
    sentence:
      "An adapter that exits (also code 0) is never restarted by itself: _signalbox/adapter_exited",
    tests: [
      `${LIFECYCLE} › an adapter that dies idle is noticed at once and restored by the next use`,
      `${RESTORE_FAULTS} › an adapter that ends idle with %o harms neither its session nor another of the same agent`,
      `${TURNS} › a crash keeps what was said, tells how the agent ended and fails the turn`,
    ],
  },
  {
    sentence:
      "Fold. Updates of title, usage, options, mode and commands change the row in the transaction of their event",
    tests: [
      `${FOLD} › after any updates the row says what the last event of each kind says, after a kill too`,
      `${FOLD} › whoever sees the event sees the row that it changed`,
      `${FOLD} › an update without the field that it is for changes nothing but history`,
      `${ENDINGS} › an update behind the answer to a changed option is the one that stays`,
    ],
  },
  {
    sentence:
      "setConfigOption: a value that no option can take is invalid_config_value, the agent's refusal config_rejected",
    tests: [`${BAD_INPUT} › %s with %o is %s`],
  },
  {
    sentence: "usage.summary: turns by outcome, tokens, cost by currency, approval waits, crashes",
    tests: [
      `${USAGE} › turns are counted by how they ended, with their tokens and the cost that each added`,
      `${USAGE} › waits for a person are counted, before and after a deletion; those of a policy are none`,
      `${USAGE} › what a session came to outlives its deletion, and adds up with the session after it`,
      `${USAGE} › what retention removes stays in the sums`,
      `${USAGE} › what is spent and approved between turns counts, whatever ends the session's agent`,
      `${USAGE} › a turn that a kill cuts off keeps what it had cost, in each currency`,
      "packages/protocol/src/usage.test.ts › a range of usage has two RFC 3339 times, the first before the second",
    ],
  },
  {
    sentence: "storage_busy, storage_full and storage_corrupt are told by every call",
    tests: [
      "packages/db/src/storage-error.test.ts › Prisma's %s is storage_busy and may be retried",
      "packages/api/src/error-map.test.ts › storage that fails under a procedure has its code, whoever asked it",
    ],
  },
];
