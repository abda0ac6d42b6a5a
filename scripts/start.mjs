/**
 * `npm start`: brings the checkout up to date, then becomes the server.
 *
 * The server runs in this process, so signals and exit codes are its own, and stdout carries its
 * lines alone.
 */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
if (process.argv.length > 2) {
  process.stderr.write(
    "npm start takes no arguments: settings come from signalbox.config.json and SIGNALBOX_… variables.\n",
  );
  process.exit(1);
}
const { main } = await import("./lib/setup-error.mjs");
const { prepare } = await import("./lib/prepare.mjs");

await main(async () => {
  await prepare();
  process.setSourceMapsEnabled(true);
  await import(new URL("../apps/server/dist/main.js", import.meta.url).href);
});
