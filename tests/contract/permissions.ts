import type { ContractRow } from "./contract-row.ts";

const RULES = "packages/acp-runtime/src/requests/permission-rules.test.ts";
const BROKER = "packages/acp-runtime/src/requests/permissions.test.ts";
const FAULTS = "tests/cases/permission-faults.test.ts";
const SERVER = "tests/integration/permissions.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "The policy is immutable: an open with another one is a conflict",
    tests: [
      "packages/acp-runtime/src/sessions/session-lifecycle.test.ts › an id is opened once; the same options again are fine, others are a conflict",
    ],
  },
  {
    sentence:
      "allow_all takes the first allow_once, else allow_always; reject_all the rejects; never an id not offered or an unknown kind",
    tests: [
      `${FAULTS} › policy %s goes by kind, never by name, and takes the first of its kind`,
      `${FAULTS} › policy %s invents nothing when no option fits, and says so`,
      `${BROKER} › policies answer by kind only and leave no event in history`,
    ],
  },
  {
    sentence: "Automatic decisions leave no event in history and are in the audit log",
    tests: [
      `${BROKER} › policies answer by kind only and leave no event in history`,
      `${FAULTS} › what a policy decided is never laid at a person's door`,
    ],
  },
  {
    sentence: "Nothing fitting: the adapter gets cancelled, the turn goes on, history says so",
    tests: [
      `${BROKER} › a policy that fits no option cancels the request and says so`,
      `${FAULTS} › policy %s invents nothing when no option fits, and says so`,
    ],
  },
  {
    sentence:
      "ask: the exact request is a durable event with a requestId and digest of ours; the adapter's ids never show",
    tests: [
      `${BROKER} › an operator sees the exact options and the agent gets the exact choice`,
      `${RULES} › options that share an id are shown as they came, and the id is answered`,
      "packages/acp-runtime/src/adapter/adapter-endings.test.ts › the adapter's own session id stays its own, in reasons and in open tool calls too",
    ],
  },
  {
    sentence: "Any number may be open at once; there is no time-out",
    tests: [
      `${FAULTS} › a cancel answers every open request of the turn, and each ends as prompt_cancelled`,
      `${FAULTS} › a request waits for days, and only the person's answer reaches the agent`,
    ],
  },
  {
    sentence: "A request outside a turn has promptId null and does not block a new prompt",
    tests: [`${RULES} › a request outside a turn has no prompt, and a new prompt runs beside it`],
  },
  {
    sentence: "The first valid answer wins by a conditional update",
    tests: [
      `${BROKER} › of two answers at once exactly one is accepted`,
      `${SERVER} › of many answers at once to one permission exactly one is accepted`,
      `${FAULTS} › two clicks are one answer on the wire, and the second is told so`,
    ],
  },
  {
    sentence: "The commit precedes the delivery and the reply",
    tests: [`${RULES} › an answer is committed before the agent hears it`],
  },
  {
    sentence:
      "An option that was not offered is invalid_permission_option, another digest permission_changed; the request stays open",
    tests: [
      `${BROKER} › an operator sees the exact options and the agent gets the exact choice`,
      `${RULES} › a request with no option waits for its cancel, and no answer fits it`,
    ],
  },
  {
    sentence: "Late answers do not throw: already_resolved, with who resolved it",
    tests: [`${BROKER} › of two answers at once exactly one is accepted`],
  },
  {
    sentence: "Late answers: prompt_cancelled",
    tests: [`${BROKER} › a cancel ends open requests first, and a late answer is told why`],
  },
  {
    sentence: "Late answers: adapter_exited, session_unloaded, session_deleted",
    tests: [`${BROKER} › each way a session ends gives a late answer its own reason`],
  },
  {
    sentence: "Late answers: turn_ended, when the agent ended its turn with the request open",
    tests: [
      `${RULES} › an agent that ends its turn with the request open gives a late answer turn_ended`,
      `${FAULTS} › a turn that ends by %s leaves no request pending`,
    ],
  },
  {
    sentence: "Late answers: server_stopped and server_restarted",
    tests: [
      `${RULES} › an ordered stop ends open requests as server_stopped`,
      `${BROKER} › after a kill open requests are ended as server_restarted`,
    ],
  },
  {
    sentence: "Late answers: request_not_found; a bounded tombstone outlives delete",
    tests: [
      `${BROKER} › a request nobody made is not found, not an error`,
      `${RULES} › a deleted session's request is remembered for a late answer, and nothing else of it is`,
    ],
  },
  {
    sentence: "Every end of a request is one permission_response event with ACP's outcome",
    tests: [
      `${FAULTS} › a cancel answers every open request of the turn, and each ends as prompt_cancelled`,
      `${FAULTS} › two clicks are one answer on the wire, and the second is told so`,
      `${RULES} › a request that the agent takes back is over, with one response in history`,
    ],
  },
  {
    sentence: "Over maxPendingPermissionsPerSession a request is cancelled and says limit_exceeded",
    tests: [
      `${RULES} › a request over the limit is answered as cancelled and says which limit to raise`,
    ],
  },
  {
    sentence:
      "A session that waits is never idle-unloaded; with every slot so held a start fails with limit_exceeded",
    tests: [
      `${RULES} › a session that waits is not unloaded for being idle, nor to make room`,
      "packages/acp-runtime/src/sessions/session-lifecycle.test.ts › with every adapter busy a start is refused",
    ],
  },
  {
    sentence: "permissions.pending lists over all sessions, oldest first",
    tests: [
      `${RULES} › all open requests are listed oldest first, page by page, over all sessions`,
    ],
  },
];
