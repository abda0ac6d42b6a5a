import { buildConsole, bundleServer, generateDatabaseClient } from "./build.mjs";
import { withBuildLock } from "./build-lock.mjs";
import { installDependencies } from "./dependencies.mjs";

/**
 * Brings the checkout up to date: packages, generated code and, unless told otherwise, what runs
 * in production. With nothing changed it only looks at modification times.
 *
 * @param {{ builds?: boolean }} [options]
 * @throws {import("./setup-error.mjs").SetupError} when the machine lacks something
 */
export async function prepare({ builds = true } = {}) {
  await withBuildLock(async () => {
    await installDependencies();
    await generateDatabaseClient();
    if (!builds) return;
    await bundleServer();
    await buildConsole();
  });
}
