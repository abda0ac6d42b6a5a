import { test } from "vitest";
import { checkModel, sampleOf } from "./model.ts";

/** As long as the longest sample that anybody asks for. */
const TIMEOUT_MS = 24 * 60 * 60_000;

test(
  "no interleaving of clients, agents and restarts breaks a rule, sample 1",
  async () => {
    await checkModel(sampleOf(1));
  },
  TIMEOUT_MS,
);
