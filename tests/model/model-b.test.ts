import { test } from "vitest";
import { checkModel, sampleOf } from "./model.ts";

/** As long as the longest sample that anybody asks for. */
const TIMEOUT_MS = 24 * 60 * 60_000;

test(
  "no interleaving of clients, agents and restarts breaks a rule, sample 2",
  async () => {
    await checkModel(sampleOf(2));
  },
  TIMEOUT_MS,
);
