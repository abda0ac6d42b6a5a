import { test } from "vitest";
import { checkModel, MODEL_TIMEOUT_MS, sampleOf } from "./model.ts";

test(
  "no interleaving of clients, agents and restarts breaks a rule, sample 2",
  async () => {
    await checkModel(sampleOf(2));
  },
  MODEL_TIMEOUT_MS,
);
