/**
 * `npm run seed`: a data folder with 200 sessions, one of 50,000 events, and hostile content, so
 * that anyone can look at the console full. An argument names another folder.
 */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { seed } from "./seed.ts";

const dataDir = path.resolve(process.argv[2] ?? ".signalbox/seeded");
if (existsSync(dataDir)) {
  process.stderr.write(`${dataDir} exists. Remove it, or name another folder.\n`);
  process.exitCode = 2;
} else {
  const cwd = path.resolve("workspace");
  mkdirSync(cwd, { recursive: true });
  const options = { dataDir, cwd, sessions: 200, longEvents: 50_000, nowMs: Date.now() };
  const events = await seed(options);
  process.stdout.write(
    `${options.sessions} sessions with ${events} events. Look at them with\n\n` +
      `  SIGNALBOX_DATA_DIR=${path.relative(process.cwd(), dataDir)} npm start\n`,
  );
}
