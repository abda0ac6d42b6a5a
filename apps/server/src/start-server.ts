/** The composition root: everything that lives long is made here, in order, and ended in reverse. */
import fs from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  Catalogue,
  createRuntime,
  FleetFeed,
  Launches,
  LiveAdapters,
  type StartableRuntime,
  spawnAgent,
  sweepMarked,
  TurnEnds,
} from "@signalbox/acp-runtime";
import { Accounts, ExportTickets } from "@signalbox/api";
import {
  appendAudit,
  claimNode,
  type Database,
  dataFolderId,
  lockDataDir,
  openDatabase,
  openSealer,
  recoverFromCrash,
} from "@signalbox/db";
import { AppError, type ErrorCode, EXIT_CODE, SYSTEM_ACTOR } from "@signalbox/protocol";
import { Callers, ensureAdminToken } from "./access.ts";
import { AccessLog } from "./access-log.ts";
import { baseEnvironment, resolveAgents } from "./agents.ts";
import { callerAddress } from "./caller-address.ts";
import { ClosingStack } from "./closing-stack.ts";
import { ConsoleProcess } from "./console-process.ts";
import { ConsoleProxy } from "./console-proxy.ts";
import { ExitError } from "./exit-error.ts";
import { ExportEndpoint } from "./export-endpoint.ts";
import { assertPortIsFree, HttpServer } from "./http-server.ts";
import { LiveConnections } from "./live-connections.ts";
import type { Log } from "./log.ts";
import { ConsoleLogin } from "./login.ts";
import { makeFolder, makePrivateFolder } from "./private-folder.ts";
import type { Settings } from "./settings.ts";
import { TrpcEndpoint } from "./trpc-endpoint.ts";
import { announceUrl } from "./url-file.ts";
import { VERSION } from "./version.ts";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

export interface RunningServer {
  readonly url: string;
  /** The link for the first login; null when someone has logged in before. */
  readonly loginUrl: string | null;
  /** Starts what the last run left queued: the first adapters, unless a caller was quicker. */
  startQueuedPrompts(): Promise<void>;
  /** Turns end or are cancelled, adapters go, sockets and the database close. */
  stop(): Promise<void>;
  /** Ends every process at once. */
  kill(): Promise<void>;
}

/**
 * @throws ExitError or AppError before the port is open; nothing is left behind then
 */
export async function startServer(settings: Settings, log: Log): Promise<RunningServer> {
  const stack = new ClosingStack();
  try {
    return await compose(settings, log, stack);
  } catch (error) {
    await stack.close();
    throw error;
  }
}

async function compose(settings: Settings, log: Log, stack: ClosingStack): Promise<RunningServer> {
  const isNew = !fs.existsSync(settings.dataDir);
  if (isNew) await assertPortIsFree(settings.host, settings.port);
  makePrivateFolder(settings.dataDir);
  makeFolder(settings.defaultWorkspace, 0o755);
  const lock = await naming(path.join(settings.dataDir, "lock.db"), async () =>
    lockDataDir(settings.dataDir),
  );
  stack.push(() => lock.release());
  // A second server of this folder hears of the folder before it hears of the port.
  if (!isNew) await assertPortIsFree(settings.host, settings.port);
  const file = path.join(settings.dataDir, "signalbox.db");
  const onLogTrouble = (error: unknown) =>
    log.warn("the write-ahead log was not emptied", { reason: String(error) });
  const db = await naming(file, () =>
    openDatabase({ file, migrationsDir: MIGRATIONS_DIR, onLogTrouble }),
  );
  stack.push(() => db.close());
  const { runtime, markPrefix } = await naming(file, async () => {
    const composed = await composeRuntime(settings, log, db);
    await ensureAdminToken(db, settings.dataDir);
    return composed;
  });
  await appendAudit(db, serverAct("server.start"));
  stack.push(() =>
    appendAudit(db, serverAct("server.stop")).catch((error: unknown) =>
      log.warn("the stop is not in the audit log", { reason: String(error) }),
    ),
  );
  const startedAtMs = Date.now();
  let isDraining = false;
  const system = {
    version: VERSION,
    startedAtMs,
    status: () => {
      if (isDraining) return "draining" as const;
      // Until something can be stored again no prompt is accepted.
      return db.isRefused ? ("degraded" as const) : ("ok" as const);
    },
  };
  const consoleProcess = new ConsoleProcess(log, baseEnvironment(settings));
  const { limits, trustedProxy } = settings;
  const addressOf = (request: IncomingMessage) => callerAddress(request, { trustedProxy });
  const accessLog = new AccessLog(log, addressOf);
  const login = new ConsoleLogin(db, addressOf);
  const connections = new LiveConnections();
  const callers = new Callers(db, (error) =>
    log.error("the use of a token was not noted", { reason: String(error) }),
  );
  const tickets = new ExportTickets();
  const http = new HttpServer({
    exports: new ExportEndpoint({ runtime, callers, tickets }),
    trpc: new TrpcEndpoint({
      callers,
      tickets,
      accounts: new Accounts({
        db,
        limits,
        onRevoked: (tokenId) => connections.end(tokenId),
        newLoginCode: () => login.newCode(),
      }),
      connections,
      addressOf,
      runtime,
      system,
      limits,
      connectionLimits: settings.connectionLimits,
      log,
      accessLog,
    }),
    login,
    console: new ConsoleProxy({
      url: consoleUrl(settings, consoleProcess),
      isDevelopment: settings.console.kind === "url",
      log,
    }),
    system,
    log,
    accessLog,
    allowedHosts: settings.allowedHosts,
    maxSilentConnections: settings.connectionLimits.maxWaitingSockets,
  });
  const code = settings.console.kind === "off" ? null : await login.issueCode();
  // From here to the return nothing waits: a caller may start an adapter in the next turn of the
  // event loop, and whoever stops the server must have it in hand by then.
  const port = await http.listen(settings.host, settings.port);
  let queued = Promise.resolve();
  stack.push(() => consoleProcess.stop());
  stack.push(() => http.close());
  stack.push(async () => {
    isDraining = true;
    // What it has not reached yet would start behind the stop's back.
    await Promise.allSettled([queued]);
    await runtime.close({ graceMs: settings.limits.stopGraceMs });
  });
  if (settings.console.kind === "process") consoleProcess.start();
  const url = `http://${hostInUrl(settings.host)}:${port}`;
  stack.push(announceUrl(settings.dataDir, url));
  return {
    url,
    loginUrl: code === null ? null : `${url}/login#code=${code}`,
    startQueuedPrompts: () => {
      queued = runtime.startQueuedPrompts();
      return queued;
    },
    stop: () => stack.close(),
    kill: async () => {
      consoleProcess.kill();
      await sweepMarked((mark) => mark.startsWith(`${markPrefix}.`));
    },
  };
}

async function composeRuntime(
  settings: Settings,
  log: Log,
  db: Database,
): Promise<{ runtime: StartableRuntime; markPrefix: string }> {
  const owner = await claimNode(db, VERSION, Date.now());
  const markPrefix = await dataFolderId(db);
  const survivors = await sweepMarked((mark) => mark.startsWith(`${markPrefix}.`));
  const recovered = await recoverFromCrash(db, owner, Date.now());
  const closed = Object.values(recovered).reduce((sum, count) => sum + count, 0);
  if (closed + survivors.length > 0) {
    log.warn("the last run did not stop in order; what it left open is closed", {
      ...recovered,
      processes: survivors.length,
    });
  }
  const searchPath = settings.environment.PATH ?? "";
  const runtime = createRuntime({
    db,
    owner,
    limits: settings.limits,
    catalogue: new Catalogue(resolveAgents(settings), searchPath),
    launch: spawnAgent,
    sealer: openSealer(settings.dataDir),
    version: VERSION,
    markPrefix,
    instructions: settings.instructions,
    baseEnv: baseEnvironment(settings),
    workspaceRoots: settings.workspaceRoots,
    defaultWorkspace: settings.defaultWorkspace,
    closedFolder: settings.dataDir,
    mcpAllow: settings.mcpAllow,
    adapters: new LiveAdapters(settings.limits.maxLiveAdapters),
    launches: new Launches(),
    fleet: new FleetFeed(db, owner.ownerEpoch),
    turnEnds: new TurnEnds(),
    onBug: (error, where) => {
      const stack = error instanceof Error ? error.stack : String(error);
      log.error("something broke", { where, stack });
    },
  });
  return { runtime, markPrefix };
}

function consoleUrl(settings: Settings, process: ConsoleProcess): () => string | null | undefined {
  const mode = settings.console;
  switch (mode.kind) {
    case "process":
      return () => process.url;
    case "url":
      return () => mode.url;
    case "off":
      return () => undefined;
  }
}

const STORAGE_CODES: readonly ErrorCode[] = ["storage_full", "storage_busy", "storage_corrupt"];

/** Has a storage that fails the start say which file that is. */
async function naming<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || !STORAGE_CODES.includes(error.code)) throw error;
    throw new AppError(error.code, `${file}: ${error.message}`, {
      details: { ...error.details, file },
      cause: error,
    });
  }
}

function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The exit code of an error that stopped the start. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitError) return error.exitCode;
  if (!(error instanceof AppError)) return EXIT_CODE.internal;
  switch (error.code) {
    case "database_in_use":
      return EXIT_CODE.databaseInUse;
    case "schema_newer":
      return EXIT_CODE.schemaNewer;
    case "storage_corrupt":
      return EXIT_CODE.storageCorrupt;
    default:
      return EXIT_CODE.internal;
  }
}

function serverAct(action: "server.start" | "server.stop") {
  const details = { version: VERSION };
  const none = { address: null, sessionId: null, target: null };
  return { actor: SYSTEM_ACTOR, action, outcome: "ok", details, ...none };
}
