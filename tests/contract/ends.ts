import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const STARTS = `${RUNTIME}/sessions/session-starts.test.ts`;
const LIFECYCLE = `${RUNTIME}/sessions/session-lifecycle.test.ts`;
const TURNS = `${RUNTIME}/turns/turns.test.ts`;
const QUEUE = `${RUNTIME}/turns/queued-prompts.test.ts`;
const CANCELS = `${RUNTIME}/turns/cancels.test.ts`;
const LIMITS = `${RUNTIME}/turns/prompt-limits.test.ts`;
const ENDS = `${RUNTIME}/turns/turn-ends.test.ts`;
const STORED = `${RUNTIME}/reads/stored-calls.test.ts`;
const DELETE = `${RUNTIME}/sessions/session-delete.test.ts`;
const ENDINGS = `${RUNTIME}/adapter/adapter-endings.test.ts`;
const ODD = `${RUNTIME}/adapter/misbehaving-adapters.test.ts`;
const SPAWN = `${RUNTIME}/adapter/spawn-agent.test.ts`;
const TURN_FAULTS = "tests/cases/turn-faults.test.ts";
const CRASH = "tests/integration/crash-recovery.test.ts";
const STOP = "tests/integration/start-and-stop.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence:
      "End. The end of a turn, its terminal event and the end of its open permissions commit together",
    tests: [
      `${ENDS} › the end of a turn, of its requests and its last event are there together or not at all`,
    ],
  },
  {
    sentence:
      "openToolCalls lists the tool calls whose last status is neither completed nor failed",
    tests: [
      `${ENDS} › an end names the tool calls whose last status is neither completed nor failed`,
      `${TURN_FAULTS} › tool calls that an exit leaves open are named at the end of the turn, and none is invented`,
    ],
  },
  {
    sentence:
      "Before the dispatch mark: adapter_spawn_failed, adapter_timeout, auth_required, restore_failed; delivery never",
    tests: [`${ENDS} › a turn that fails before it was sent says %s and delivery never`],
  },
  {
    sentence: "After it: adapter_exited, prompt_failed, limit_exceeded; delivery uncertain",
    tests: [
      `${ENDS} › a turn that fails after it was sent says %s and delivery uncertain`,
      `${LIMITS} › maxMessageBytes is what one message may have; above it the turn fails with the limit`,
    ],
  },
  {
    sentence:
      "After a crash recovery closes every started turn: prompt_not_delivered or prompt_delivery_uncertain; permissions end as server_restarted",
    tests: [
      `${TURNS} › after a kill every started turn is closed, and queued prompts stay queued`,
      `${CRASH} › a prompt that was accepted and never sent is closed as not delivered`,
      `${CRASH} › a server killed in a turn closes it as uncertain, keeps its text and goes on`,
      `${CRASH} › a server killed with open permissions ends each of them before the turn`,
    ],
  },
  {
    sentence: "SessionState: failed lasts until the next acceptance",
    tests: [`${ENDS} › a session that failed says so until the next acceptance, and over a kill`],
  },
  {
    sentence: "Cancel. First writer wins against completion",
    tests: [
      `${CANCELS} › a cancel that comes as the agent answers is decided once: both tell the same`,
      `${CANCELS} › of answers, a cancel and an exit that come at once one ends the request`,
      `${CANCELS} › of an answer, a cancel and a delete that come at once one ends the request, and the session is gone`,
    ],
  },
  {
    sentence: "Sends session/cancel, answers every open permission with cancelled",
    tests: [
      `${CANCELS} › of many cancels each is told the same, and the agent is asked once`,
      "tests/cases/permission-faults.test.ts › a cancel answers every open request of the turn, and each ends as prompt_cancelled",
    ],
  },
  {
    sentence:
      "An adapter that has not ended the turn after cancelGraceMs is stopped and the turn is cancelled",
    tests: [
      `${TURNS} › an agent that ignores cancel is stopped after the grace and the turn is cancelled`,
      `${ODD} › a prompt that is never answered ends by cancel all the same`,
      `${CANCELS} › an agent that exits on a cancel leaves a cancelled turn and its exit in history`,
    ],
  },
  {
    sentence:
      "A queued prompt can be cancelled before it starts; without promptId the running prompt only",
    tests: [
      `${QUEUE} › a queued prompt that is cancelled ends without a message of the user, and never reaches the agent`,
      `${QUEUE} › a cancel without a prompt's id is for the running one only`,
    ],
  },
  {
    sentence:
      "An ended prompt is no_active_prompt, an unknown one prompt_not_found, an unknown session session_not_found",
    tests: [
      `${CANCELS} › a cancel of what has ended, of nothing, and of what never was are three answers`,
    ],
  },
  {
    sentence: "wait: true answers when the turn has ended",
    tests: [
      `${CANCELS} › a cancel with wait answers when the end is committed, one without it before`,
    ],
  },
  {
    sentence: "Unload / delete / stop. Cancel first",
    tests: [
      `${CANCELS} › a turn that %s ends is cancelled, also when the agent dies of it`,
      `${STARTS} › an unload ends a restore that an open waits for`,
      `${STARTS} › a delete ends an open that is still starting, and leaves neither row nor process`,
      `${STARTS} › a changed option whose restore an unload ends fails with a code`,
      `${CANCELS} › a prompt, an unload and a delete that come at once leave nothing behind, in any order`,
    ],
  },
  {
    sentence:
      "Then an orderly end: session/close if offered, end of stdin, SIGTERM to the group, SIGKILL",
    tests: [
      `${ENDINGS} › session/close is asked where it is offered; a refusal or silence of it ends the adapter all the same`,
      `${SPAWN} › an agent that ignores the end of stdin gets SIGTERM`,
      `${SPAWN} › an agent that ignores SIGTERM is killed`,
    ],
  },
  {
    sentence: "No descendant survives",
    tests: [
      `${SPAWN} › %s: a stop leaves nobody`,
      `${ODD} › an agent that takes no hint is killed when its session is unloaded`,
    ],
  },
  {
    sentence: "Unload keeps everything; already unloaded is a success",
    tests: [
      `${STORED} › an unload keeps history, settings, title and what waits to be answered for`,
      `${STORED} › an unload of what is unloaded is a success, of what never was is not`,
    ],
  },
  {
    sentence:
      "Delete removes session, history, prompts and secrets in one transaction and leaves an audit row and a tombstone",
    tests: [
      `${DELETE} › a delete leaves a tombstone, the audit log and sums; nothing else of the session`,
      `${DELETE} › a delete that the database refuses takes nothing away, and can be made again`,
      `${DELETE} › a delete of what is gone, or never was, is a success and is not in the audit log`,
    ],
  },
  {
    sentence: "An id opened again counts on; older cursors are history_cursor_expired",
    tests: [
      `${DELETE} › an id opened again counts on, knows nothing of before, and takes no cursor or key of it`,
      `${LIFECYCLE} › a deleted id counts on from where it was when it is opened again`,
    ],
  },
  {
    sentence:
      "An ordered stop ends turns as cancelled after its grace, permissions as server_stopped",
    tests: [
      `${ENDS} › a stop of the server lets a turn end within its grace`,
      `${CANCELS} › a turn that %s ends is cancelled, also when the agent dies of it`,
      `${STOP} › SIGTERM ends turns and permissions in order, with 0, and leaves no process`,
    ],
  },
];
