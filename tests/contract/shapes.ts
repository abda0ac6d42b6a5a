import type { ContractRow } from "./contract-row.ts";

const SHAPES = "packages/acp-runtime/src/adapter/acp-shapes.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "What is sent to an agent has ACP's own shapes",
    tests: [
      `${SHAPES} › every request and notification is one of ACP's`,
      `${SHAPES} › every answer to a permission request is one of ACP's`,
    ],
  },
  {
    sentence:
      "Flat events: the top-level type is ACP's sessionUpdate, its fields beside the envelope",
    tests: [
      `${SHAPES} › every event that is not of our own kind is an update of ACP's`,
      `${SHAPES} › what is not of ACP's is found`,
    ],
  },
];
