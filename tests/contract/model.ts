import type { ContractRow } from "./contract-row.ts";

const MODEL = [
  "tests/model/model-a.test.ts › no interleaving of clients, agents and restarts breaks a rule, sample 1",
  "tests/model/model-b.test.ts › no interleaving of clients, agents and restarts breaks a rule, sample 2",
];
const FORETOLD = [
  "tests/model/prediction-a.test.ts › whatever clients, agents and servers do, the model foretells what comes of it, sample 1",
  "tests/model/prediction-b.test.ts › whatever clients, agents and servers do, the model foretells what comes of it, sample 2",
  "tests/model/scripts.test.ts › a model that is wrong is found out",
];
const LATE = "packages/acp-runtime/src/turns/late-events.test.ts";
const INTAKE = "packages/acp-runtime/src/output/update-intake.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence:
      "What a client is told, every event, every end and every state follow from the commands before",
    tests: FORETOLD,
  },
  { sentence: "The queue goes on after any end of the turn ahead, in order", tests: FORETOLD },
  { sentence: "session_conflict, session_busy, idempotency_conflict", tests: FORETOLD },
  { sentence: "Sequences have no gaps", tests: MODEL },
  {
    sentence:
      "The end of a turn, its terminal event and the end of its open permissions commit together",
    tests: MODEL,
  },
  {
    sentence:
      "a dispatch mark is committed, then the prompt is written to the adapter, once, never again",
    tests: MODEL,
  },
  { sentence: "Every end of a request is one permission_response event", tests: MODEL },
  {
    sentence: "a durable event is emitted only after its transaction committed, and is in history",
    tests: MODEL,
  },
  {
    sentence:
      "An ordered stop of the server ends turns as cancelled, permissions as server_stopped",
    tests: MODEL,
  },
  {
    sentence: "Nothing of a turn follows its terminal event",
    tests: [
      ...MODEL,
      `${LATE} › a restore that outlives the turn that wanted it is outside that turn`,
      `${LATE} › a request over the limit is refused within its turn, however soon that ends`,
      `${LATE} › a link that is done after the turn it was shown in is done outside it`,
    ],
  },
  {
    sentence: "Our own kinds begin with _signalbox/",
    tests: [`${INTAKE} › an agent that says %s is kept and not taken for us`],
  },
];
