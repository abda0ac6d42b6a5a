/**
 * `npm run test:model -- --runs 5000 --seed 7`: the model-based tests for longer, or one failure of
 * one of them again with `--of` and `--path`, or its smallest form with `--shrink`.
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
    of: { type: "string" },
    shrink: { type: "boolean", default: false },
  },
});

process.stdout.write(`${values.runs} runs in each file, from seed ${values.seed}\n`);
const kinds = values.of === undefined ? ["model", "prediction"] : [values.of];
// A path belongs to the seed it was printed with, so only one file may take it.
const files = values.path === undefined ? kinds : kinds.slice(0, 1).map((kind) => `${kind}-a`);
const paths = files.map((file) => `tests/model/${file}`);
const vitest = spawn("npx", ["--no-install", "vitest", "run", ...paths], {
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
