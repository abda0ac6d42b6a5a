import type { ContractRow } from "./contract-row.ts";

const QUESTIONS = "packages/acp-runtime/src/requests/questions.test.ts";
const RULES = "packages/acp-runtime/src/requests/question-rules.test.ts";
const ANSWERS = "packages/protocol/src/question-answer.test.ts";
const SERVER = "tests/integration/questions.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence:
      "questions.respond {sessionId, requestId, action, content?} answers as permissions.respond",
    tests: [
      `${SERVER} › a form is answered through the API, checked against its schema, pattern included`,
      `${SERVER} › a link is accepted without content, and its completion is in history`,
      `${QUESTIONS} › an answer of %s carries no content`,
      `${QUESTIONS} › a question nobody asked is not found, not an error`,
    ],
  },
  {
    sentence: "content is validated against the request's schema (invalid_answer)",
    tests: [
      `${QUESTIONS} › an answer that does not fit the form names the field and leaves the question open`,
      `${QUESTIONS} › a link takes no content`,
      `${ANSWERS} › %j takes %j`,
      `${ANSWERS} › %j refuses %j and names the field`,
      "packages/acp-runtime/src/requests/pattern.test.ts › a pattern made to take for ever is told at once",
    ],
  },
  {
    sentence: "questions.pending is like permissions.pending, with PendingQuestion[]",
    tests: [
      `${RULES} › open questions are listed oldest first, page by page, over all sessions`,
      `${QUESTIONS} › a question waits with its form, whatever the permission policy, and the agent gets the answer`,
    ],
  },
  {
    sentence: "A question is ACP elicitation, durable like a permission; policy does not answer it",
    tests: [
      `${QUESTIONS} › agents are offered questions with forms and with links, as the protocol names them`,
      `${QUESTIONS} › a question waits with its form, whatever the permission policy, and the agent gets the answer`,
      `${QUESTIONS} › the agent's own ids of a question never show`,
      `${RULES} › a question with %s is answered as invalid, and nothing of it waits`,
      `${RULES} › fields of types that nobody knows yet are kept as they came`,
    ],
  },
  {
    sentence: "waiting: requests and questions, promptId null outside a turn; also in lists",
    tests: [
      `${QUESTIONS} › a question waits with its form, whatever the permission policy, and the agent gets the answer`,
      `${RULES} › a question outside a turn has no prompt, and a new prompt runs beside it`,
      `${RULES} › lists of sessions tell one with a question as waiting, and no other`,
    ],
  },
  {
    sentence:
      "The first valid answer wins by a conditional update; the commit precedes the delivery and the reply",
    tests: [
      `${QUESTIONS} › of two answers at once to a question exactly one is accepted`,
      `${SERVER} › of many answers at once to one question exactly one is accepted`,
      `${QUESTIONS} › an answer to a question is committed before the agent hears it`,
      `${QUESTIONS} › an answer that races with %s counts for one side only`,
    ],
  },
  {
    sentence: "Late answers to a question do not throw: not_pending with the reason of its end",
    tests: [
      `${QUESTIONS} › a question that ends as %s tells a late answer so`,
      `${QUESTIONS} › a question whose agent dies ends as adapter_exited, also when an answer races with it`,
      `${QUESTIONS} › an agent that ends its turn with a question open gives a late answer turn_ended`,
      `${QUESTIONS} › after a kill open questions are ended as server_restarted, before their turn`,
      `${SERVER} › a server killed with an open question ends it before its turn, and tells a late answer so`,
      `${SERVER} › a cancelled turn takes its question with it`,
      `${RULES} › a question that the agent takes back is over, with one response in history`,
    ],
  },
  {
    sentence:
      "maxPendingPermissionsPerSession holds for questions too; over it the answer is cancel",
    tests: [
      `${RULES} › permissions and questions share one limit; what is over it is answered cancel and says so`,
    ],
  },
  {
    sentence: "A session that waits for an answer to a question is never idle-unloaded",
    tests: [
      `${RULES} › a session with a question is not unloaded for being idle, nor to make room`,
    ],
  },
  {
    sentence: "FleetEvent question_requested and question_resolved {action, resolvedBy?}",
    tests: [
      `${RULES} › watchers of all sessions hear of a question and of its end, also of one they missed`,
    ],
  },
  {
    sentence: "An answer is in the audit log: who, how, which fields; never what was typed",
    tests: [
      `${QUESTIONS} › what a person typed is given to the agent and stored nowhere; who answered and which fields is audited`,
    ],
  },
  {
    sentence: "elicitation/complete with an unknown or finished id is ignored",
    tests: [
      `${RULES} › a link that its agent reports as done is noted once; unknown and finished ids are nothing`,
    ],
  },
  {
    sentence:
      "Elicitation: a pattern that runs for ever, an unknown field rendered as text, a link that opens itself, a late complete",
    tests: [
      "packages/acp-runtime/src/requests/pattern.test.ts › a pattern made to take for ever is told at once",
      "apps/console/src/features/question/form-values.test.ts › patterns of agents are not run in the browser",
      "tests/e2e/questions.journey.ts › a form is filled in, mended at its field and answered; the agent hears what was typed",
      "tests/e2e/questions.journey.ts › a link is shown in full, opened by a press alone, and can be declined",
      `${RULES} › a link that its agent reports as done is noted once; unknown and finished ids are nothing`,
    ],
  },
];
