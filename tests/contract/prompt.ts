import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const STARTS = `${RUNTIME}/sessions/session-starts.test.ts`;
const TURNS = `${RUNTIME}/turns/turns.test.ts`;
const KEYS = `${RUNTIME}/turns/idempotency.test.ts`;
const QUEUE = `${RUNTIME}/turns/queued-prompts.test.ts`;
const LIMITS = `${RUNTIME}/turns/prompt-limits.test.ts`;
const ENDS = `${RUNTIME}/turns/turn-ends.test.ts`;
const STORED = `${RUNTIME}/reads/stored-calls.test.ts`;
const ENDINGS = `${RUNTIME}/adapter/adapter-endings.test.ts`;
const RETENTION = `${RUNTIME}/output/retention.test.ts`;
const TURN_FAULTS = "tests/cases/turn-faults.test.ts";
const CRASH = "tests/integration/crash-recovery.test.ts";
const WALK = "tests/integration/whole-walk.test.ts";
const BAD_INPUT = "tests/integration/bad-input.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "Prompt. Never creates a session",
    tests: [`${STORED} › a prompt creates no session`],
  },
  {
    sentence:
      "Acceptance is one transaction (prompt row + complete user message, one event per block, one shared messageId), committed before anything else; then a dispatch mark, then the prompt, once",
    tests: [
      `${ENDS} › nothing of a prompt reaches the agent before its acceptance and its dispatch mark are committed`,
      `${CRASH} › a prompt that was accepted and never sent is closed as not delivered`,
      `${CRASH} › a server killed in a turn closes it as uncertain, keeps its text and goes on`,
    ],
  },
  {
    sentence: "Then restore if needed (inside the turn, cancellable)",
    tests: [
      `${STARTS} › a prompt is cancelled while its session is still being restored`,
      `${STARTS} › a prompt behind one that was cancelled in its restore has a restore of its own`,
    ],
  },
  {
    sentence:
      "Content is checked against limits (prompt_too_large for bytes and blocks, bad_request for none)",
    tests: [
      `${LIMITS} › maxPromptBytes counts the content's JSON in UTF-8, at the limit, above and far above`,
      `${LIMITS} › maxPromptBlocks counts blocks, at the limit, above and far above`,
      `${TURNS} › a prompt that can't be accepted leaves no trace`,
    ],
  },
  {
    sentence: "and the agent's promptCapabilities before acceptance",
    tests: [`${TURNS} › a prompt that can't be accepted leaves no trace`],
  },
  {
    sentence:
      "maxMessageBytes, maxTurnOutputBytes and maxLineBytes: over them the turn fails with limit_exceeded",
    tests: [
      `${LIMITS} › maxMessageBytes is what one message may have; above it the turn fails with the limit`,
      `${LIMITS} › maxTurnOutputBytes is what one turn may say; above it the turn fails and the agent is told`,
      `${LIMITS} › an agent that talks on over the limit of its turn is stopped after the grace`,
      `${LIMITS} › maxLineBytes is what one line may have; above it the turn fails and the next one runs`,
    ],
  },
  {
    sentence: "Losing the caller's connection never cancels a turn",
    tests: [`${WALK} › losing the caller's connection cancels no turn`],
  },
  {
    sentence: "Busy: a second prompt while one runs is session_busy",
    tests: [
      `${TURNS} › a second prompt is refused while one runs, or waits its turn in the queue`,
      `${TURN_FAULTS} › a prompt at the very end of a turn is either refused or runs, and never lost`,
    ],
  },
  {
    sentence:
      'whenBusy "queue" takes a durable FIFO place with one prompt_queued event (1 = next to run); its user message is written in the transaction that starts its turn',
    tests: [
      `${QUEUE} › queued prompts have places from 1 and run in their order, each with its message at its start`,
      `${QUEUE} › of many prompts that come at once one runs, the queue's places are taken and the rest is refused`,
      `${WALK} › queued prompts run in order after the turn ahead`,
    ],
  },
  {
    sentence: "A full queue is limit_exceeded",
    tests: [`${QUEUE} › a full queue refuses with the limit, and takes again when a place is free`],
  },
  {
    sentence: "A cancelled place gets its turn_ended and no user events",
    tests: [
      `${QUEUE} › a queued prompt that is cancelled ends without a message of the user, and never reaches the agent`,
    ],
  },
  {
    sentence: "The queue goes on after any end of the turn ahead",
    tests: [
      `${QUEUE} › the queue goes on after a turn that says %s`,
      `${ENDINGS} › the next prompt after an agent was killed by a cancel runs on a restored one`,
    ],
  },
  {
    sentence: "Unload and delete cancel running and queued prompts alike, each with its turn_ended",
    tests: [
      `${QUEUE} › an unload cancels what runs and what waits, each with its end, and what comes after runs`,
      `${QUEUE} › a delete ends what runs and what waits; a follower sees each end before the session is gone`,
      `${ENDINGS} › a prompt queued while an unload ends the turn is ended with it, and the next one runs`,
    ],
  },
  {
    sentence:
      "A stop or crash leaves queued prompts queued; they start in order, each dispatched at most once",
    tests: [
      `${QUEUE} › a stop leaves queued prompts queued, and the next start runs them in order, each once`,
      `${CRASH} › queued prompts outlive a kill and run in order, each once`,
    ],
  },
  {
    sentence: "Idempotency: the key has 1 to 256 bytes, per session",
    tests: [
      `${KEYS} › a key has 1 to 256 bytes of UTF-8`,
      `${KEYS} › a key is one prompt in its session and another one in another session`,
    ],
  },
  {
    sentence:
      "Same key and content: a retry waits for the running one and gets its result, or later the stored result",
    tests: [
      `${TURNS} › fifty equal calls with one key are one turn with fifty equal results`,
      `${KEYS} › a retry during the turn waits for it; one after it gets the same result`,
      `${KEYS} › a retry after a restart gets the result of the turn before it, without an agent`,
      `${KEYS} › a retry after a cancel is cancelled`,
      `${WALK} › one key is one turn, over HTTP and over the socket, also while it runs`,
    ],
  },
  {
    sentence: "or the same typed error",
    tests: [`${KEYS} › a retry after %s gets the same typed error, after a restart too`],
  },
  {
    sentence: "Other content: idempotency_conflict; whenBusy is not content",
    tests: [
      `${KEYS} › other content under a key is a conflict while the turn runs, after it and after a restart`,
      `${KEYS} › whenBusy and the order of a block's members are not content; a member more is`,
    ],
  },
  {
    sentence: "Rejections before acceptance bind no key",
    tests: [
      `${KEYS} › what is refused before its acceptance binds no key`,
      `${BAD_INPUT} › with a refused prompt binds no key and leaves no event`,
    ],
  },
  {
    sentence: "The same content may be sent as a new prompt with a new key",
    tests: [
      `${KEYS} › the content of a prompt that failed before it was sent runs under a new key`,
    ],
  },
  {
    sentence:
      "Keys live as long as their prompt rows; a running, queued or newest row is never pruned",
    tests: [
      `${RETENTION} › idempotency keys go with the oldest prompts over the limit, and never with the newest`,
      `${RETENTION} › prompts that are too old go, but for each session's newest, running or queued`,
    ],
  },
  {
    sentence: "awaitPrompt answers {pending: true} when the time is over",
    tests: [
      `${KEYS} › a retry during the turn waits for it; one after it gets the same result`,
      `${STARTS} › a thousand callers that wait for one turn are none of another's business`,
    ],
  },
];
