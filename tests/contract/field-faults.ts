import type { ContractRow } from "./contract-row.ts";

const PERMISSIONS = "tests/cases/permission-faults.test.ts";
const TURNS = "tests/cases/turn-faults.test.ts";
const WIRE = "tests/cases/wire-faults.test.ts";
const RESTORE = "tests/cases/restore-faults.test.ts";
const PROCESSES = "tests/cases/process-faults.test.ts";
const SPAWN = "packages/acp-runtime/src/adapter/spawn-agent.test.ts";
const ODD = "packages/acp-runtime/src/adapter/misbehaving-adapters.test.ts";
const LIFECYCLE = "packages/acp-runtime/src/sessions/session-lifecycle.test.ts";
const CRASH = "tests/integration/crash-recovery.test.ts";

/** What went wrong for people who host agents elsewhere, and the test that it does not here. */
export const rows: readonly ContractRow[] = [
  {
    sentence: "Adapters and what they start outlive their session",
    tests: [
      `${PROCESSES} › of ten sessions whose agents start processes of their own, none is left by an unload`,
      `${SPAWN} › %s: a crash of the leader alone ends the rest too, though it holds stdout`,
    ],
  },
  {
    sentence: "Adapters outlive the server, after a stop or a kill",
    tests: [
      "tests/integration/start-and-stop.test.ts › a second SIGTERM ends the server at once and leaves no process",
      `${CRASH} › adapters that outlive a killed server are gone after the restart`,
    ],
  },
  {
    sentence: "Only the launcher is ended, and the agent behind it lives on",
    tests: [
      `${PROCESSES} › an agent behind a launcher that passes no signal on is gone after an unload`,
    ],
  },
  {
    sentence: "Days of sessions pile up processes, files and memory",
    tests: [
      `${PROCESSES} › two hundred sessions that came and went leave no file open and no adapter behind`,
      `${PROCESSES} › twenty agents in processes of their own that came and went leave no file open`,
    ],
  },
  {
    sentence: "An agent is killed before it could finish its work at the end of its input",
    tests: [
      `${PROCESSES} › an agent may finish its work when its input ends, and its last words are history`,
    ],
  },
  {
    sentence: "A dead adapter is used again, and every later session of the agent fails",
    tests: [
      `${RESTORE} › an adapter that ends idle with %o harms neither its session nor another of the same agent`,
    ],
  },
  {
    sentence: "A turn whose agent exited without an answer runs for ever",
    tests: [
      `${ODD} › half a line and an exit fail the turn with the exit, and keep what was whole`,
      `${RESTORE} › a session that failed is restored by opening it again`,
    ],
  },
  {
    sentence: "A full pipe of stderr freezes the agent",
    tests: [`${SPAWN} › a flood on stderr blocks nothing and keeps its end`],
  },
  {
    sentence: "A server that is restarted in the middle of a turn leaves half of it",
    tests: [
      `${CRASH} › a server killed in a turn closes it as uncertain, keeps its text and goes on`,
    ],
  },
  {
    sentence: "An agent that waits for a person at its start hangs the open",
    tests: [`${LIFECYCLE} › an agent that does not answer in time is stopped`],
  },
  {
    sentence: "Sessions of sibling folders, or behind symlinks, are mixed up",
    tests: [
      `${RESTORE} › each session keeps the folder it was opened with, one behind a symlink too`,
    ],
  },
  {
    sentence: "Files are read and written for an agent outside the session's folders",
    tests: [`${WIRE} › a method that was not offered is refused to the agent by its JSON-RPC code`],
  },
  {
    sentence: "Human text, control sequences and bare values on stdout break the stream",
    tests: [
      `${WIRE} › control sequences, bare values, empty lines and CRLF endings harm nothing`,
      `${SPAWN} › noise between updates costs none of them`,
    ],
  },
  {
    sentence: "The first large tool result ends the connection",
    tests: [
      `${WIRE} › a tool result of five megabytes is kept whole`,
      `${SPAWN} › a long line within the limit passes`,
    ],
  },
  {
    sentence: "One oversized message in the agent's record makes every later restore fail",
    tests: [
      `${WIRE} › a replay with a line over the limit falls to the next means, and the session lives on`,
    ],
  },
  {
    sentence: "A good answer is thrown away because of a bad line after it",
    tests: [`${WIRE} › an answer that stands before a line over the limit counts`],
  },
  {
    sentence: "A cancel leaves the agent's permission request unanswered",
    tests: [
      `${PERMISSIONS} › a cancel answers every open request of the turn, and each ends as prompt_cancelled`,
      `${PERMISSIONS} › an agent that ends a cancelled turn only after its request was answered is freed`,
    ],
  },
  {
    sentence: "Another option than the chosen one reaches the agent",
    tests: [`${PERMISSIONS} › of four options of one kind the one chosen reaches the agent: %s`],
  },
  {
    sentence: "A policy goes by names, or invents an answer",
    tests: [
      `${PERMISSIONS} › policy %s goes by kind, never by name, and takes the first of its kind`,
      `${PERMISSIONS} › policy %s invents nothing when no option fits, and says so`,
    ],
  },
  {
    sentence: "A timer answers in a person's place",
    tests: [
      `${PERMISSIONS} › a request waits for days, and only the person's answer reaches the agent`,
    ],
  },
  {
    sentence: "A request of a dead process can be answered again and again",
    tests: [
      `${CRASH} › a server killed with open permissions ends each of them before the turn`,
      `${PERMISSIONS} › a turn that ends by %s leaves no request pending`,
    ],
  },
  {
    sentence: "Requests of an agent's own sub-sessions hang for ever",
    tests: [
      `${PERMISSIONS} › a request and updates under an id that is unknown are the session's own`,
    ],
  },
  {
    sentence: "A permission for a call that was never announced breaks the call",
    tests: [
      `${PERMISSIONS} › a request for a tool call that was never announced is kept whole and its call ends`,
    ],
  },
  {
    sentence: "A decision of the machine is reported as a person's",
    tests: [`${PERMISSIONS} › what a policy decided is never laid at a person's door`],
  },
  {
    sentence: "A second click is a second answer",
    tests: [`${PERMISSIONS} › two clicks are one answer on the wire, and the second is told so`],
  },
  {
    sentence: "A cancelled turn answers twice, or as if it had ended well",
    tests: [
      "packages/acp-runtime/src/wire/wire.test.ts › only the first answer counts, and an id of another type is no answer",
      "packages/acp-runtime/src/turns/turns.test.ts › a cancel is cancelled whatever the agent answers, and what was said is kept as partial",
    ],
  },
  {
    sentence: "An agent that ignores its cancel blocks the session for good",
    tests: [
      `${TURNS} › a turn whose agent ignores its cancel ends after the grace, and the next prompt runs`,
    ],
  },
  {
    sentence: "Output of a stopped or an ended turn shows up in the next one",
    tests: [
      `${TURNS} › late words of a turn that was cancelled do not join the next turn`,
      `${TURNS} › the rest of an answered message is kept and is not of the next turn`,
      `${TURNS} › ids that another process of the agent counts from the start again are its own turns'`,
    ],
  },
  {
    sentence: "Updates after the answer are an error, or end nowhere",
    tests: [
      `${TURNS} › output behind the answer is kept in its order and belongs to no turn`,
      `${TURNS} › what an agent says of its own accord while idle becomes history without a boundary`,
    ],
  },
  {
    sentence: "Updates before the answer to session/new are lost",
    tests: [`${ODD} › an update from before the session's answer is in history, outside any turn`],
  },
  {
    sentence: "Events of one session reach another, or come as often as it was opened",
    tests: [
      `${TURNS} › an adapter that speaks for another session changes neither history`,
      `${TURNS} › a session that is opened again and again tells each event once`,
    ],
  },
  {
    sentence: "The user's own prompt is shown twice",
    tests: [`${TURNS} › a prompt that the agent says back is one user message`],
  },
  {
    sentence: "A replay is stored and sent out as news",
    tests: [
      `${LIFECYCLE} › a session is resumed where the agent can, else loaded with its replay kept out`,
    ],
  },
  {
    sentence: "Tool calls run for ever after a crash",
    tests: [
      `${TURNS} › tool calls that an exit leaves open are named at the end of the turn, and none is invented`,
    ],
  },
  {
    sentence: "A new kind of update, of content or of field fails a turn",
    tests: [
      `${WIRE} › unknown kinds of updates, of content and of fields are kept and fail no turn`,
    ],
  },
  {
    sentence: "A method that the agent lacks breaks the session",
    tests: [`${WIRE} › an agent that lacks a setter fails that call alone`],
  },
  {
    sentence: "A mode that is no longer offered stops the restore",
    tests: [
      `${RESTORE} › a mode that the agent no longer offers does not stop the restore, and the truth is shown`,
    ],
  },
  {
    sentence: "An id that the agent has forgotten fails every wake in the same way",
    tests: [
      `${RESTORE} › an id that the agent has forgotten is replaced once, and the next prompt does not try it again`,
    ],
  },
  {
    sentence: "A failing restore goes round in circles",
    tests: [
      `${RESTORE} › a session whose every tier fails is tried once for each prompt, with the agent's own error`,
    ],
  },
  {
    sentence: "An agent's normal exit is taken for the end of the session",
    tests: [
      `${RESTORE} › an agent that exits with 0 after each turn is unloaded, and the next prompt remembers`,
    ],
  },
  {
    sentence: "MCP servers, folders, environment and arguments survive the first start only",
    tests: [
      `${RESTORE} › every start gets the servers, folders, environment and arguments that the session was opened with`,
      `${RESTORE} › each session's agent sees the values of its own environment only`,
    ],
  },
  {
    sentence: "Reopening a failed session is an opaque error",
    tests: [`${RESTORE} › a session that failed is restored by opening it again`],
  },
  {
    sentence: "Concurrent appends give holes or doubles in the sequence",
    tests: [`${WIRE} › events that come from everywhere at once have dense sequences`],
  },
  {
    sentence: "A client's handle is of no use after a restart",
    tests: [
      `${CRASH} › a prompt of the client outlives a kill between submission and result`,
      `${CRASH} › a follower goes on over a kill and a restart without a gap`,
      "packages/client/src/follow-session.test.ts › a socket that is refused before the subscription was sent ends the follower too",
    ],
  },
  {
    sentence: "A running flag outlives the session's end",
    tests: [
      `${RESTORE} › a session that is unloaded in a turn shows no turn afterwards, after a restart neither`,
    ],
  },
  {
    sentence: "A fixed limit cuts off long turns",
    tests: [`${TURNS} › a turn may take hours of silence`],
  },
  {
    sentence: "A second prompt during a turn is lost",
    tests: [
      `${TURNS} › a prompt at the very end of a turn is either refused or runs, and never lost`,
    ],
  },
];
