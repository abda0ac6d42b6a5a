/**
 * The demo agent's process: ACP over stdio until the client ends stdin.
 *
 * Nothing here waits for a turn: what must outlive the process is on disk before a prompt is
 * answered, so the end may come at any moment.
 */
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { demoAgent } from "./agent-app.ts";
import { SessionStore } from "./session-store.ts";
import { readSettings } from "./settings.ts";

process.once("SIGTERM", () => process.exit(0));
// The client went away while we were speaking: nobody is left to tell.
process.stdout.once("error", () => process.exit(0));

const settings = readSettings(process.env);
const app = demoAgent(settings, new SessionStore(settings.stateDir));
const connection = app.connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)),
);
void connection.closed.then(() => process.exit(0));
