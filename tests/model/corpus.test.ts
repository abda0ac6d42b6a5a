import { test } from "vitest";
import { corpus } from "./corpus.ts";
import { checkModel } from "./model.ts";

test.each(corpus)("a run that once broke a rule keeps all of them: $found", async (sample) => {
  await checkModel(sample);
});
