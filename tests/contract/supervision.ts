import type { ContractRow } from "./contract-row.ts";

const SUPERVISION = "packages/acp-runtime/src/adapter/supervision.test.ts";
const CONFINED = "tests/integration/confined-agent.test.ts";
const CONFINED_START = "tests/integration/confined-start.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "agents.stderr: the tail of the current or last adapter, secrets masked",
    tests: [
      `${SUPERVISION} › stderr is readable from the first byte of the start on, with secrets masked`,
      `${SUPERVISION} › only the end of a long stderr is kept, and it says so`,
      `${SUPERVISION} › the stderr of an adapter that crashed before a restart of the server is known from its exit`,
    ],
  },
  {
    sentence: "_signalbox/stderr is live only: never in history, never sequenced",
    tests: [`${SUPERVISION} › a watcher sees stderr live, masked, and history never has it`],
  },
  {
    sentence:
      "agents.processes: pid, memory and number of processes of each adapter, and its state",
    tests: [
      `${SUPERVISION} › each adapter is listed with its whole tree of processes and their memory`,
      `${SUPERVISION} › an agent that crashes again and again is held back for a while, and says until when`,
      `${SUPERVISION} › an agent that dies while it is started is held back as well`,
    ],
  },
  {
    sentence: "An agent may be started behind bubblewrap, and says so where that does not work",
    tests: [
      `${CONFINED} › an agent behind bubblewrap works in its session's folder and writes nowhere else`,
      `${CONFINED} › it sees neither the data folder nor the configuration, the server's environment or any process`,
      `${CONFINED} › whatever it starts is gone with it: after an unload, and the moment the server is killed`,
      `${CONFINED_START} › where bubblewrap is missing a start says so in words`,
      `${CONFINED_START} › a path that would not be found inside is refused at the start`,
    ],
  },
  {
    sentence: "What is said before the session's answer is bounded",
    tests: [
      `${SUPERVISION} › an agent that talks without end before its session is there is stopped, naming the limit`,
    ],
  },
];
