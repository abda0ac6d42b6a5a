/**
 * `npm run check`: everything that must hold before a change is shared. Stops at the first step
 * that fails. `--without-tests` leaves out the last one.
 */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { quietEnv } = await import("./lib/build.mjs");
const { run } = await import("./lib/command.mjs");
const { fromRoot, installedProgram } = await import("./lib/paths.mjs");
const { prepare } = await import("./lib/prepare.mjs");
const { main, SetupError } = await import("./lib/setup-error.mjs");

const biome = installedProgramLater("@biomejs/biome", "bin/biome");
const turbo = installedProgramLater("turbo", "bin/turbo");
const tsc = installedProgramLater("typescript", "bin/tsc");

/** @type {{ name: string, commands: () => string[][] }[]} */
const steps = [
  { name: "format", commands: () => [[biome(), "format", "."]] },
  { name: "lint", commands: () => [[biome(), "lint", "--error-on-warnings", "."]] },
  {
    name: "types",
    commands: () => [
      [turbo(), "run", "typecheck", "--ui=stream", "--output-logs=errors-only"],
      [tsc(), "-p", fromRoot("tsconfig.json")],
    ],
  },
  { name: "import line", commands: () => [[fromRoot("tooling", "check-imports.mjs")]] },
  { name: "dependencies", commands: () => [[fromRoot("tooling", "check-dependencies.mjs")]] },
  { name: "migrations", commands: () => [[fromRoot("tooling", "check-migrations.mjs")]] },
  { name: "tests", commands: () => [[fromRoot("scripts", "test.mjs")]] },
];

await main(async () => {
  await prepare({ builds: false });
  const isWithoutTests = process.argv.includes("--without-tests");
  for (const { name, commands } of steps) {
    if (isWithoutTests && name === "tests") continue;
    for (const command of commands()) {
      const env = { ...process.env, ...quietEnv };
      const code = await run(process.execPath, command, { env, ownsStdout: true });
      if (code !== 0) throw new SetupError(`check: ${name} failed`);
    }
    process.stdout.write(`check: ${name} passed\n`);
  }
});

/**
 * The program's path, looked up when it is needed: nothing is installed before `prepare`.
 *
 * @param {string} packageName
 * @param {string} file
 */
function installedProgramLater(packageName, file) {
  return () => installedProgram(packageName, file);
}
