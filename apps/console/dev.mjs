/**
 * The console in development: Next.js with hot reload on a fixed loopback port
 * (`SIGNALBOX_CONSOLE_PORT`, default 4171), which the Signalbox server passes requests on to.
 */
import { createServer } from "node:http";
import next from "next";
import { endWith, listen } from "./process-end.mjs";

const PARENT_CHECK_MS = 500;
const port = Number(process.env.SIGNALBOX_CONSOLE_PORT ?? 4171);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  process.stderr.write("SIGNALBOX_CONSOLE_PORT must be a port number from 1 to 65535\n");
  process.exit(2);
}
process.env.NEXT_TELEMETRY_DISABLED = "1";

const server = createServer();
const leash = endWith(server);
// Whoever started this may be killed without a word; then the process gets another parent.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) leash.end(0);
}, PARENT_CHECK_MS).unref();

const app = next({ dev: true, dir: import.meta.dirname, hostname: "127.0.0.1", port });
leash.onEnd(() => app.close());
await app.prepare();
const handle = app.getRequestHandler();
const upgrade = app.getUpgradeHandler();
server.on("request", (request, response) => void handle(request, response));
server.on("upgrade", (request, socket, head) => void upgrade(request, socket, head));
await listen(server, port);
process.stdout.write(`Console for development at http://127.0.0.1:${port}\n`);
process.send?.({ type: "listening", port });
