import { AppError } from "@signalbox/protocol";
import { EXIT_CODE, ExitError } from "./exit-error.ts";
import { createLog, type Log } from "./log.ts";
import { readSettings } from "./settings.ts";
import { exitCodeOf, type RunningServer, startServer } from "./start-server.ts";

/** The second signal does not wait. */
function stopOnSignals(server: RunningServer, log: Log): void {
  let isStopping = false;
  let isKilling = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) {
      isKilling = true;
      log.warn("second signal: ending at once", { signal });
      void server.kill().finally(() => process.exit(EXIT_CODE.usage));
      return;
    }
    isStopping = true;
    log.info("stopping", { signal });
    server.stop().then(
      () => {
        if (!isKilling) process.exit(EXIT_CODE.clean);
      },
      (error: unknown) => {
        if (isKilling) return;
        log.error("the stop failed", {
          stack: error instanceof Error ? error.stack : String(error),
        });
        process.exit(EXIT_CODE.internal);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

async function main(): Promise<void> {
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  const server = await startServer(settings, log);
  stopOnSignals(server, log);
  process.stdout.write(`Signalbox is ready at ${server.url}\n`);
  if (server.loginUrl !== null) process.stdout.write(`Log in at ${server.loginUrl}\n`);
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ExitError || error instanceof AppError;
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(exitCodeOf(error));
});
