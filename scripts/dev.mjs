/**
 * `npm run dev`: server and console from source, both reloading. The server passes what is not its
 * own to the console's development server, so the one address to open is the server's.
 */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { quietEnv } = await import("./lib/build.mjs");
const { run } = await import("./lib/command.mjs");
const { installedProgram } = await import("./lib/paths.mjs");
const { prepare } = await import("./lib/prepare.mjs");
const { main } = await import("./lib/setup-error.mjs");

const CONSOLE_PORT = "4171";

await main(async () => {
  await prepare({ builds: false });
  const env = {
    ...process.env,
    ...quietEnv,
    SIGNALBOX_CONSOLE_PORT: CONSOLE_PORT,
    SIGNALBOX_CONSOLE_URL: `http://127.0.0.1:${CONSOLE_PORT}`,
  };
  // Agents may be given any variable of ours by name, so none is filtered out.
  const args = ["run", "dev", "--ui=stream", "--env-mode=loose"];
  process.exitCode = await run(
    process.execPath,
    [installedProgram("turbo", "bin/turbo"), ...args],
    {
      env,
      ownsStdout: true,
    },
  );
});
