import { test } from "vitest";
import { checkPredictions, MODEL_TIMEOUT_MS, sampleOf } from "./model.ts";

test(
  "whatever clients, agents and servers do, the model foretells what comes of it, sample 2",
  async () => {
    await checkPredictions(sampleOf(2));
  },
  MODEL_TIMEOUT_MS,
);
