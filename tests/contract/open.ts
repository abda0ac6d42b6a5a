import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const IDENTITY = `${RUNTIME}/sessions/session-identity.test.ts`;
const SECRETS = `${RUNTIME}/sessions/session-secrets.test.ts`;
const STARTS = `${RUNTIME}/sessions/session-starts.test.ts`;
const LIFECYCLE = `${RUNTIME}/sessions/session-lifecycle.test.ts`;
const OPEN = `${RUNTIME}/sessions/open-session.test.ts`;
const ENDS = `${RUNTIME}/turns/turn-ends.test.ts`;
const RESTORE = `${RUNTIME}/sessions/restore.test.ts`;
const ODD = `${RUNTIME}/adapter/misbehaving-adapters.test.ts`;
const BAD_INPUT = "tests/integration/bad-input.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "Open. Idempotent",
    tests: [
      `${LIFECYCLE} › an id is opened once; the same options again are fine, others are a conflict`,
    ],
  },
  {
    sentence:
      "The identity of an id is agent, cwd, additionalDirectories, mcpServers, permissionPolicy, skipOsInstructions, additionalInstructions and adopt; another value is session_conflict",
    tests: [
      `${IDENTITY} › another value of any field of the identity is a conflict that names the field, loaded or not`,
      `${IDENTITY} › what was given is compared with what is left out: it is a conflict in both directions`,
      `${BAD_INPUT} › again with another identity is a conflict, with the same is not`,
    ],
  },
  {
    sentence: 'Omitted equals the default, "" equals omitted',
    tests: [`${IDENTITY} › left out equals the default, and empty text equals left out`],
  },
  {
    sentence: "Key order never matters, list order does",
    tests: [`${IDENTITY} › the order of keys never matters, the order of a list does`],
  },
  {
    sentence: "Paths are compared normalised, symlinks kept",
    tests: [
      `${IDENTITY} › paths are compared normalised, and a symlink is another folder than what it leads to`,
    ],
  },
  {
    sentence:
      "env is not identity: an open with env replaces the stored values (audited; at the next start), without env keeps them",
    tests: [
      `${IDENTITY} › env is not identity: it is kept without one, replaced with one, and works from the next start`,
      `${IDENTITY} › an env that is refused with a conflict or a bad name replaces nothing`,
    ],
  },
  {
    sentence: "sessions.rotateEnv replaces the stored values, effect at the next start",
    tests: [
      `${SECRETS} › rotated values reach the adapter at its next start, and the audit log names them`,
      `${SECRETS} › rotated values are checked like those of an open, before anything is stored`,
    ],
  },
  {
    sentence: "env values are write-only and encrypted at rest",
    tests: [
      `${LIFECYCLE} › environment values reach the agent and no read shows them`,
      `${SECRETS} › servers that were stored before they were sealed are read as they are`,
      `${SECRETS} › values of MCP servers are sealed, sent again as they were, and masked in what the agent says`,
      `${IDENTITY} › a conflict shows no secret of either side`,
    ],
  },
  {
    sentence: "A stdio MCP server that is not on the list, or a refused env name, needs X",
    tests: [
      `${OPEN} › a command of a caller's own needs scope X, however its server is written`,
      `${OPEN} › a stdio server's %s is held to the rules for env`,
      `${LIFECYCLE} › everything is checked before a process starts`,
    ],
  },
  {
    sentence:
      "Everything is validated before a process starts: invalid_cwd, cwd_missing with details.field",
    tests: [
      `${LIFECYCLE} › everything is checked before a process starts`,
      `${BAD_INPUT} › in a missing folder names the field`,
      `${OPEN} › a folder whose name begins with two dots is inside, the folder above is not`,
    ],
  },
  {
    sentence: "Omitted cwd = the configured default workspace",
    tests: [`${IDENTITY} › left out equals the default, and empty text equals left out`],
  },
  {
    sentence: "Opening an id whose adapter is unloaded or dead restores it",
    tests: [
      `${RESTORE} › a restore by an open is outside any turn`,
      `${LIFECYCLE} › an adapter that dies idle is noticed at once and restored by the next use`,
    ],
  },
  {
    sentence: "Equal concurrent opens share one start",
    tests: [
      `${STARTS} › equal opens that come at once share one start, its failure too; another one has its own`,
      `${STARTS} › an open that comes behind a delete is for a session of its own`,
    ],
  },
  {
    sentence: "A failed start leaves no row and no process",
    tests: [
      `${LIFECYCLE} › a failed start leaves no row and no process and explains itself`,
      `${STARTS} › a delete ends an open that is still starting, and leaves neither row nor process`,
    ],
  },
  {
    sentence:
      "Error details carry {phase, exitCode, signal, stderrTail} masked; an exit before negotiation ends is adapter_spawn_failed",
    tests: [
      `${LIFECYCLE} › an agent that exits while it starts is told with its exit code and masked stderr`,
      `${ODD} › an agent that ends at once explains itself`,
    ],
  },
  {
    sentence: "A time-out carries {phase, limit, max}",
    tests: [`${LIFECYCLE} › an agent that does not answer in time is stopped`],
  },
  {
    sentence:
      "An agent's JSON-RPC error carries {method, rpcCode, rpcMessage, rpcData}; other than auth-required it is adapter_protocol_error",
    tests: [
      `${LIFECYCLE} › a failed start leaves no row and no process and explains itself`,
      `${ENDS} › a turn that fails before it was sent says %s and delivery never`,
    ],
  },
  {
    sentence: "maxSessions: over it sessions_limit",
    tests: [`${STARTS} › opens that come at once cannot exceed the number of sessions together`],
  },
];
