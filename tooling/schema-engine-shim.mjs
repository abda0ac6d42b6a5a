#!/usr/bin/env node
/**
 * Stands in for Prisma's native `schema-engine`, which npm does not carry.
 *
 * Prisma's command line starts the engine as a child process and speaks JSON-RPC with it, one
 * message a line. This file answers with the same engine built for WebAssembly
 * (`@prisma/schema-engine-wasm`), run over the better-sqlite3 adapter. `prisma.config.ts` names
 * it, so every Prisma command works without a download. A native engine named in
 * PRISMA_SCHEMA_ENGINE_BINARY takes precedence.
 *
 * The WebAssembly engine differs from the native one in a few ways, each handled where it
 * shows. Not possible with it: typed SQL.
 */

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

// The packages belong to packages/db, wherever npm has put them.
const requireFromDb = createRequire(new URL("../packages/db/package.json", import.meta.url));
const SqliteDatabase = requireFromDb("better-sqlite3");
const adapterPackage = requireFromDb.resolve("@prisma/adapter-better-sqlite3");
const { PrismaBetterSqlite3 } = requireFromDb("@prisma/adapter-better-sqlite3");
const { bindMigrationAwareSqlAdapterFactory } = createRequire(adapterPackage)(
  "@prisma/driver-adapter-utils",
);

const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

/** What the command line shows for any error of the engine; the known code travels beside it. */
const ENGINE_ERROR = 4466;

const PARTIAL_INDEX_QUERY =
  /^(SELECT sql FROM sqlite_master WHERE type = 'index' AND name = )"(.*)";$/;

const MEMORY = ":memory:";

const args = process.argv.slice(2);
const datamodels = valuesOf("--datamodels").map((file) => [file, fs.readFileSync(file, "utf8")]);
const database = databaseFile(JSON.parse(valuesOf("--datasource")[0] ?? "{}").url);

if (args.includes("--version")) process.stdout.write("schema-engine-shim (wasm)\n");
else if (args.includes("cli")) process.exitCode = runCommand(args[args.indexOf("cli") + 1]);
else await serve();

function valuesOf(option) {
  return args.flatMap((arg, index) => (arg === option ? [args[index + 1]] : []));
}

/** A relative address starts at the folder of `prisma.config.ts`, where the child is started. */
function databaseFile(url = `file:${MEMORY}`) {
  const file = url.replace(/^file:/, "").split("?")[0];
  return file === MEMORY ? file : path.resolve(file);
}

/** The engine's one-shot commands about the database file itself. */
function runCommand(command) {
  if (command === "create-database") createDatabase();
  else if (command === "drop-database") removeDatabase();
  else if (command !== "can-connect-to-database") return 1;
  else if (database !== MEMORY && !fs.existsSync(database)) return reportMissing();
  return 0;
}

function createDatabase() {
  if (database === MEMORY) return;
  fs.mkdirSync(path.dirname(database), { recursive: true });
  fs.closeSync(fs.openSync(database, "a"));
}

function removeDatabase() {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) {
    fs.rmSync(database + suffix, { force: true });
  }
}

function reportMissing() {
  const message = `Database \`${path.basename(database)}\` does not exist`;
  const fields = { message, error_code: "P1003" };
  const report = { level: "ERROR", target: "schema_engine::logger", fields };
  // The command line skips the first line of this stream.
  process.stderr.write(`schema-engine\n${JSON.stringify(report)}\n`);
  return 1;
}

/** Answers requests in order until the command line closes the pipe or stops this process. */
async function serve() {
  const startEngine = await loadEngine();
  let last = Promise.resolve();
  const lines = readline.createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method) last = last.then(() => answer(startEngine, id, method, params));
  });
  // Leaving only between calls: an open connection cut off would leave its journal behind.
  const leave = () => last.then(() => process.exit(0));
  lines.on("close", leave);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, leave);
}

async function answer(startEngine, id, method, params) {
  const session = new EngineSession(startEngine);
  try {
    send({ id, result: await session.call(method, params) });
  } catch (error) {
    send({ id, error: session.describe(error) });
  } finally {
    await session.close();
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** Compiles the engine once; the answer starts an instance of it over an adapter factory. */
async function loadEngine() {
  const dir = path.dirname(requireFromDb.resolve("@prisma/schema-engine-wasm"));
  const bindings = await import(path.join(dir, "schema_engine_bg.js"));
  const bytes = fs.readFileSync(path.join(dir, "schema_engine_bg.wasm"));
  const imports = { "./schema_engine_bg.js": bindings };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(message) {
      globalThis.PRISMA_WASM_PANIC_REGISTRY.message = message;
    },
  };
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const input = { datamodels: datamodels.length > 0 ? datamodels : undefined };
  return (factory) => bindings.SchemaEngine.new(input, () => {}, factory);
}

/** One call's engine and connections. A used engine keeps locks and its shadow database. */
class EngineSession {
  #startEngine;
  #factory;
  #engine;
  #connections = [];

  constructor(startEngine) {
    this.#startEngine = startEngine;
  }

  async call(method, params) {
    if (method === "createDatabase") {
      createDatabase();
      return { databaseName: path.basename(database) };
    }
    if (method === "reset") {
      removeDatabase();
      createDatabase();
      return {};
    }
    if (method === "diff") return this.#diff(params);
    try {
      return await this.#ask(method, params);
    } catch (error) {
      // Where the native engine reads a missing history as an empty one, this one fails.
      if (error.code !== "P1014" && !/_prisma_migrations/.test(error.message)) throw error;
      await this.close();
      const sqlite = new SqliteDatabase(database);
      sqlite.exec(CREATE_HISTORY);
      sqlite.close();
      return this.#ask(method, params);
    }
  }

  /** The native engine prints a difference through a call of its own. */
  async #diff(params) {
    const { exitCode, stdout } = await this.#ask("diff", params);
    if (stdout != null) send({ id: 1e6, method: "print", params: { content: stdout } });
    return { exitCode, stdout: null };
  }

  async #ask(method, params) {
    const engine = await this.#start();
    if (method === "getDatabaseVersion") return engine.version(params);
    if (method === "evaluateDataLoss" || method === "createMigration") {
      // Only this call hands the shadow database over, which both methods need.
      const { migrationsList, filters } = params;
      await engine.devDiagnostic({ migrationsList, filters });
    }
    return (await engine[method](params)) ?? {};
  }

  async #start() {
    if (this.#engine) return this.#engine;
    if (database !== MEMORY) fs.mkdirSync(path.dirname(database), { recursive: true });
    const base = new PrismaBetterSqlite3({ url: database });
    for (const method of ["connect", "connectToShadowDb"]) {
      const connect = base[method].bind(base);
      base[method] = async () => {
        const adapter = acceptingEngine(await connect());
        this.#connections.push(adapter);
        return adapter;
      };
    }
    this.#factory = bindMigrationAwareSqlAdapterFactory(base);
    this.#engine = await this.#startEngine(this.#factory);
    return this.#engine;
  }

  async close() {
    this.#engine = undefined;
    for (const adapter of this.#connections.splice(0)) await adapter.dispose();
  }

  describe(error) {
    const panic = globalThis.PRISMA_WASM_PANIC_REGISTRY.message;
    const message = panic ?? this.#withCause(error);
    const known = { error_code: error.code, message, meta: error.meta ?? null, is_panic: false };
    const unknown = { is_panic: panic !== undefined, message, backtrace: null };
    return { code: ENGINE_ERROR, message, data: error.code ? known : unknown };
  }

  /** The engine names an adapter's error by number; the error itself stayed on this side. */
  #withCause(error) {
    const [, id] = /External error id#(\d+)/.exec(error.message) ?? [];
    const cause = id && this.#factory?.errorRegistry?.consumeError(Number(id))?.error;
    return cause ? `${error.message.split("\n")[0]}: ${cause.stack ?? cause}` : error.message;
  }
}

/** Two things of the engine's that better-sqlite3 refuses. */
function acceptingEngine(adapter) {
  const executeRaw = adapter.executeRaw.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  // Whole scripts sent as one statement.
  adapter.executeRaw = async (query) => {
    if (query.args.length > 0) return executeRaw(query);
    await adapter.executeScript(query.sql);
    return 0;
  };
  // A text in double quotes, asked about each partial index: strict SQLite takes it for a column.
  adapter.queryRaw = (query) => {
    const [, head, name] = PARTIAL_INDEX_QUERY.exec(query.sql) ?? [];
    if (name === undefined) return queryRaw(query);
    return queryRaw({ ...query, sql: `${head}'${name.replaceAll("'", "''")}'` });
  };
  return adapter;
}
