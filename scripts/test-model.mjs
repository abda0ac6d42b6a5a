/**
 * `npm run test:model -- --runs 5000 --seed 7`: the model-based test for longer, or one failure of
 * it again with `--path`, or its smallest form with `--shrink`.
 */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { spawn } = await import("node:child_process");
const { parseArgs } = await import("node:util");

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    path: { type: "string" },
    shrink: { type: "boolean", default: false },
  },
});

process.stdout.write(`${values.runs} runs in each of two files, from seed ${values.seed}\n`);
// A path belongs to the seed it was printed with, so only one file may take it.
const files = values.path === undefined ? "tests/model/model-" : "tests/model/model-a";
const vitest = spawn("npx", ["--no-install", "vitest", "run", files], {
  stdio: "inherit",
  env: {
    ...process.env,
    SIGNALBOX_MODEL_RUNS: values.path === undefined ? values.runs : "1",
    SIGNALBOX_MODEL_SEED: values.seed,
    ...(values.path === undefined ? {} : { SIGNALBOX_MODEL_PATH: values.path }),
    ...(values.shrink ? { SIGNALBOX_MODEL_SHRINK: "1" } : {}),
  },
});
vitest.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
