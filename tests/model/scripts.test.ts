import { expect, test } from "vitest";
import { predict } from "./prediction.ts";
import { scripts } from "./scripts.ts";

test.each(scripts)("what once went another way goes as the model says: $found", async (script) => {
  expect(await predict(script)).toEqual([]);
});

test("a model that is wrong is found out", async () => {
  const [script] = scripts;
  if (!script) throw new Error("there are no scripts");
  const stubborn = { ...script, obeysCancel: false };
  const prompt = { do: "prompt", session: "main", key: null, text: 0, queue: false } as const;
  const cancel = { do: "cancel", session: "main", which: "running", at: 0 } as const;
  const steps = [...script.steps.slice(0, 1), ...[prompt, cancel].map(byClient)];
  // The agent of this run obeys, the model believes that it does not.
  const differences = await predict({ ...stubborn, steps }, { obeysCancel: true });
  expect(differences[0]).toContain('step 2 ({"by":"client","command":{"do":"cancel"');
  expect(differences.join("\n")).toContain("the history of main is");
});

function byClient<C>(command: C) {
  return { by: "client" as const, command };
}
