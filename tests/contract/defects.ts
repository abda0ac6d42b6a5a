import type { ContractRow } from "./contract-row.ts";

const FAULTS = "tests/cases/turn-faults.test.ts";
const RESTORE = "tests/cases/restore-faults.test.ts";
const WIRE = "tests/cases/wire-faults.test.ts";
const PERMISSIONS = "packages/acp-runtime/src/requests/permissions.test.ts";
const RULES = "packages/acp-runtime/src/requests/permission-rules.test.ts";
const TURNS = "packages/acp-runtime/src/turns/turns.test.ts";
const LIFECYCLE = "packages/acp-runtime/src/sessions/session-lifecycle.test.ts";
const STARTS = "packages/acp-runtime/src/sessions/session-starts.test.ts";
const RETENTION = "packages/acp-runtime/src/output/retention.test.ts";
const SUPERVISION = "packages/acp-runtime/src/adapter/supervision.test.ts";

/** Thirty defects of the system whose API this one took over, and what holds here instead. */
export const rows: readonly ContractRow[] = [
  {
    sentence: "1. Parallel permission requests, and updates while one is open, are all kept",
    tests: [
      "tests/cases/permission-faults.test.ts › a cancel answers every open request of the turn, and each ends as prompt_cancelled",
      `${WIRE} › events that come from everywhere at once have dense sequences`,
    ],
  },
  {
    sentence: "2. Text before a request is stored before it",
    tests: [
      `${PERMISSIONS} › an operator sees the exact options and the agent gets the exact choice`,
      "packages/acp-runtime/src/wire/wire.test.ts › everything is handled in the order of the wire",
    ],
  },
  {
    sentence: "3. Tool calls are live at once",
    tests: [
      "packages/acp-runtime/src/reads/follow-session.test.ts › readers that drop their connection at random during a turn see the same story",
    ],
  },
  {
    sentence: "4. Partial text of failed, crashed and killed turns is kept and marked",
    tests: [
      `${TURNS} › a crash keeps what was said, tells how the agent ended and fails the turn`,
      `${TURNS} › after a kill every started turn is closed, and queued prompts stay queued`,
    ],
  },
  {
    sentence: "5. Unknown update variants are kept, not fatal",
    tests: [
      `${WIRE} › unknown kinds of updates, of content and of fields are kept and fail no turn`,
    ],
  },
  {
    sentence: "6. Late output never joins the next turn",
    tests: [`${FAULTS} › late words of a turn that was cancelled do not join the next turn`],
  },
  {
    sentence: "7. A prompt pays no fixed wait",
    tests: [
      "packages/db/src/write-queue.test.ts › writes queued together share one commit",
      "packages/client/src/call-socket.test.ts › prompts that wait beside each other get their own answers and errors",
    ],
  },
  {
    sentence: "8. Durable events share commits",
    tests: ["packages/db/src/write-queue.test.ts › writes queued together share one commit"],
  },
  {
    sentence: "9. The same key while the turn runs waits and gets the result",
    tests: [`${TURNS} › fifty equal calls with one key are one turn with fifty equal results`],
  },
  {
    sentence: "10. A failed key gives the same typed error",
    tests: [
      "packages/acp-runtime/src/turns/idempotency.test.ts › a retry after %s gets the same typed error, after a restart too",
    ],
  },
  {
    sentence: "11. A prompt is accepted before the restore, and can be cancelled during it",
    tests: [`${STARTS} › a prompt is cancelled while its session is still being restored`],
  },
  {
    sentence: "12. An idle death is noticed at once, and the next prompt restores",
    tests: [
      `${LIFECYCLE} › an adapter that dies idle is noticed at once and restored by the next use`,
    ],
  },
  {
    sentence: "13. A restart writes the ends of open requests and turns",
    tests: [
      "tests/integration/crash-recovery.test.ts › a server killed with open permissions ends each of them before the turn",
    ],
  },
  {
    sentence: "14. Title and metadata are folded",
    tests: [
      "packages/acp-runtime/src/output/fold.test.ts › after any updates the row says what the last event of each kind says, after a kill too",
    ],
  },
  {
    sentence: "15. Configuration that the agent pushes is folded; only what differs is set again",
    tests: [
      `${LIFECYCLE} › options that the session had are set again after a restore; a refusal is an event`,
    ],
  },
  {
    sentence: "16. A failing restore falls to the next means, and is typed when none works",
    tests: [
      `${RESTORE} › a session whose every tier fails is tried once for each prompt, with the agent's own error`,
      `${RESTORE} › an adapter that dies in %s costs that means only`,
    ],
  },
  {
    sentence: "17. A cancel escalates, and tells when all is quiet",
    tests: [
      `${FAULTS} › a turn whose agent ignores its cancel ends after the grace, and the next prompt runs`,
    ],
  },
  {
    sentence: "18. Unload and delete of a busy agent record cancelled and cancel first",
    tests: [
      `${STARTS} › a delete ends an open that is still starting, and leaves neither row nor process`,
    ],
  },
  {
    sentence: "19. stderr is kept under the public id, from the start on",
    tests: [
      `${SUPERVISION} › stderr is readable from the first byte of the start on, with secrets masked`,
    ],
  },
  {
    sentence: "20. Errors have a code and details; no code comes from a text",
    tests: [
      `${LIFECYCLE} › an agent that exits while it starts is told with its exit code and masked stderr`,
    ],
  },
  {
    sentence: "21. Everything is checked before a process starts",
    tests: [`${LIFECYCLE} › everything is checked before a process starts`],
  },
  {
    sentence: "22. Secrets are apart from identity",
    tests: [
      "packages/acp-runtime/src/sessions/session-secrets.test.ts › rotated values reach the adapter at its next start, and the audit log names them",
    ],
  },
  {
    sentence:
      "23. Automatic decisions are in the audit log; an unsatisfied policy answers the agent",
    tests: [
      "tests/cases/permission-faults.test.ts › what a policy decided is never laid at a person's door",
      `${PERMISSIONS} › a policy that fits no option cancels the request and says so`,
    ],
  },
  {
    sentence: "24. Open requests of all sessions are listed",
    tests: [
      `${RULES} › all open requests are listed oldest first, page by page, over all sessions`,
    ],
  },
  {
    sentence: "25. Who joins gets the open message, and commands, mode and usage are at hand",
    tests: [
      "packages/acp-runtime/src/reads/follow-session.test.ts › a late reader gets the message in progress from its beginning",
    ],
  },
  {
    sentence:
      "26. Terminals and files of the client are not offered, so none can hang or leave the roots",
    tests: [`${WIRE} › a method that was not offered is refused to the agent by its JSON-RPC code`],
  },
  {
    sentence: "27. Keys are kept by time as well as by number",
    tests: [
      `${RETENTION} › prompts that are too old go, but for each session's newest, running or queued`,
      `${RETENTION} › idempotency keys go with the oldest prompts over the limit, and never with the newest`,
    ],
  },
  {
    sentence: "28. History is read though one row is odd",
    tests: [`${RETENTION} › one damaged row hides no other`],
  },
  {
    sentence: "29. The record for an agent that forgot is readable, bounded, and announced",
    tests: [
      `${LIFECYCLE} › an agent that has forgotten the session is told what was said, once, and not in history`,
    ],
  },
  {
    sentence: "30. Content is checked against what the agent can take",
    tests: [
      "packages/acp-runtime/src/turns/idempotency.test.ts › what is refused before its acceptance binds no key",
    ],
  },
];
