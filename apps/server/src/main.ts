import { AppError } from "@signalbox/protocol";
import { ExitError } from "./exit-error.ts";
import { createLog } from "./log.ts";
import { ProcessEnd } from "./process-end.ts";
import { readSettings } from "./settings.ts";
import { exitCodeOf, startServer } from "./start-server.ts";

async function main(): Promise<void> {
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  const end = new ProcessEnd(log);
  const server = await startServer(settings, log);
  end.own(server);
  if (end.hasBegun) return;
  try {
    await server.startQueuedPrompts();
  } catch (error) {
    tell(error);
    end.begin(exitCodeOf(error));
  }
  if (end.hasBegun) return;
  process.stdout.write(`Signalbox is ready at ${server.url}\n`);
  if (server.loginUrl !== null) process.stdout.write(`Log in at ${server.loginUrl}\n`);
}

function tell(error: unknown): void {
  const isExpected = error instanceof ExitError || error instanceof AppError;
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
}

main().catch((error: unknown) => {
  tell(error);
  process.exit(exitCodeOf(error));
});
