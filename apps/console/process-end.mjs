/** How the console's processes begin to listen and how they end. */

const END_MS = 2_000;

/** Listens on loopback only. @returns the port, once connections are taken */
export function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve(server.address().port);
    });
  });
}

/**
 * Ends the process on SIGTERM, SIGINT and when the parent's IPC channel breaks: the server first,
 * then what `onEnd` was given, the process in any case.
 */
export function endWith(server) {
  const steps = [];
  let isEnding = false;
  const end = (exitCode) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(exitCode), END_MS).unref();
    server.close();
    server.closeAllConnections();
    void Promise.allSettled(steps.map((step) => step())).then(() => process.exit(exitCode));
  };
  process.on("disconnect", () => end(0));
  process.on("SIGTERM", () => end(0));
  process.on("SIGINT", () => end(0));
  return { end, onEnd: (step) => steps.push(step) };
}
