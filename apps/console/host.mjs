/**
 * The console in production: one Next.js server on a loopback port of its own.
 *
 * The Signalbox server starts it with an IPC channel, reads `{type: "listening", port}` from it and
 * passes requests on. The channel is also the leash: when it breaks, however the parent died,
 * this process ends.
 */
import { createServer } from "node:http";
import next from "next";
import { endWith, listen } from "./process-end.mjs";

if (process.send === undefined) {
  process.stderr.write("host.mjs is started by the Signalbox server, with an IPC channel\n");
  process.exit(1);
}

const server = createServer();
const leash = endWith(server);
const port = await listen(server, 0);
const app = next({ dev: false, dir: import.meta.dirname, hostname: "127.0.0.1", port });
leash.onEnd(() => app.close());
await app.prepare();
const handle = app.getRequestHandler();
server.on("request", (request, response) => {
  handle(request, response).catch((error) => {
    process.stderr.write(`console request failed: ${error?.stack ?? error}\n`);
    if (!response.headersSent) response.statusCode = 500;
    response.end();
  });
});
process.send({ type: "listening", port });
