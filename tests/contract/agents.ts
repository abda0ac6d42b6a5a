import type { ContractRow } from "./contract-row.ts";

const CHECK = "packages/acp-runtime/src/agent-check.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "agents.check starts the adapter, initialises, tries session/new, stops it",
    tests: [
      `${CHECK} › a check starts the agent, tries a session in a folder of its own, and leaves nothing`,
      `${CHECK} › what an agent does otherwise than the protocol says is told`,
      `${CHECK} › an agent of another protocol fails at initialize, one that is not there at spawn`,
      `${CHECK} › twenty checks, half of them of an agent that dies at once, leave no process`,
    ],
  },
  {
    sentence: "auth_required carries the agent's methods",
    tests: [
      `${CHECK} › an agent that wants a login fails at its session, with what the operator can do`,
    ],
  },
  {
    sentence: "agents.listSessions: the agent's own stored sessions, for adoption",
    tests: [
      `${CHECK} › an agent's own sessions of a folder are listed, odd rows left out`,
      `${CHECK} › an agent that lists no sessions is incompatible with the question`,
    ],
  },
  {
    sentence: "agents.authenticate: ACP authenticate",
    tests: [`${CHECK} › an agent logs in by a method of its own; another one is named as unknown`],
  },
  {
    sentence:
      "adopt takes over one of the agent's own sessions, its transcript imported once and marked",
    tests: [
      `${CHECK} › a session of the agent's own is taken over, its transcript imported once and marked`,
      `${CHECK} › adopting fails without a trace when the agent cannot load, or has no such session`,
    ],
  },
  {
    sentence: "An id that is already bound cannot be adopted again",
    tests: [`${CHECK} › a session of the agent's own belongs to one session here`],
  },
];
