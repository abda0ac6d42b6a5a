import type { ContractRow } from "./contract-row.ts";

const CHECK = "packages/acp-runtime/src/agents/agent-check.test.ts";

const PROFILES = "packages/acp-runtime/src/agents/profiles.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence:
      "Instructions reach the agent through its profile's channel: a field, a variable, an argument",
    tests: [
      `${PROFILES} › ACP's own field carries the instructions where it is offered, at each start`,
      `${PROFILES} › a field of the agent's own carries them at each start`,
      `${PROFILES} › a variable carries them at each start`,
      `${PROFILES} › an argument carries them at each start`,
      `${PROFILES} › nothing is sent when there are no instructions`,
    ],
  },
  {
    sentence:
      "An agent without a channel gets them once, as a marked leading block of its first prompt",
    tests: [
      `${PROFILES} › without a channel they lead the first prompt, once, marked`,
      "packages/acp-runtime/src/sessions/session-lifecycle.test.ts › the operator's and the session's instructions lead the first prompt and are not stored",
    ],
  },
  {
    sentence: "agents.check starts the adapter, initialises, tries session/new, stops it",
    tests: [
      `${CHECK} › a check starts the agent, tries a session in a folder of its own, and leaves nothing`,
      `${CHECK} › what an agent does otherwise than the protocol says is told`,
      `${CHECK} › what comes together with the answer to session/new is no deviation`,
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
      `${CHECK} › of a transcript beyond the limits of history the newest is imported`,
      `${CHECK} › a message without end in a transcript fails the adoption, naming the limit`,
    ],
  },
  {
    sentence: "An id that is already bound cannot be adopted again",
    tests: [`${CHECK} › a session of the agent's own belongs to one session here`],
  },
];
