/** A whole runtime for one test: a real database of its own and an agent that the test scripts. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  claimNode,
  type Database,
  openDatabase,
  openSealer,
  recoverFromCrash,
} from "@signalbox/db";
import { MIGRATIONS_DIR, templateDatabase } from "@signalbox/db/testing";
import {
  type AcpLimits,
  DEFAULT_LIMITS,
  type DurableEvent,
  type OpenSessionInput,
  type PromptInput,
  type PromptResult,
} from "@signalbox/protocol";
import { expect } from "vitest";
import { Launches } from "../adapter/launches.ts";
import { LiveAdapters } from "../adapter/live-adapters.ts";
import { countMarked } from "../adapter/mark-sweep.ts";
import { spawnAgent } from "../adapter/spawn-agent.ts";
import { Catalogue } from "../agents/catalogue.ts";
import { type AgentProfile, GENERIC_PROFILE } from "../agents/profiles.ts";
import { createRuntime } from "../create-runtime.ts";
import type { Caller } from "../queries.ts";
import { FleetFeed } from "../reads/fleet-feed.ts";
import type { Runtime } from "../runtime.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { TurnEnds } from "../turns/turn-ends.ts";
import type { ScriptedAgent } from "./scripted-agent.ts";

export interface TestRuntimeOptions {
  /** A scripted agent, or the arguments of the child process that misbehaves on purpose. */
  readonly agent: ScriptedAgent | readonly string[];
  readonly limits?: Partial<AcpLimits>;
  readonly instructions?: string;
  readonly profile?: AgentProfile;
  readonly model?: string;
  /** The agent is one that a package runner fetches first. */
  readonly isPackageRun?: boolean;
  readonly agentEnv?: Readonly<Record<string, string>>;
  /** Stands between the runtime and its database, to decide when a write gets its turn. */
  readonly throughDb?: (db: Database) => Database;
}

const CHILD_AGENT = fileURLToPath(new URL("./fixtures/child-agent.mjs", import.meta.url));

export const OPERATOR: Caller = {
  actor: { kind: "token", name: "test" },
  address: null,
  isAdmin: true,
};

export interface TestRuntime extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly deps: RuntimeDeps;
  readonly workspace: string;
  /** What the runtime had no caller to tell. A test that expects none leaves it be. */
  readonly bugs: unknown[];
  open(input?: Partial<OpenSessionInput>): Promise<void>;
  submit(text: string, input?: Partial<PromptInput>): ReturnType<Runtime["submitPrompt"]>;
  prompt(text: string, input?: Partial<PromptInput>): Promise<PromptResult>;
  events(sessionId?: string): Promise<DurableEvent[]>;
  types(sessionId?: string): Promise<string[]>;
  /** What the server does once its port is open. */
  startQueuedPrompts(): Promise<void>;
  /** Another runtime on a copy of the files as they are now: what a killed server would leave. */
  afterCrash(): Promise<TestRuntime>;
}

export async function testRuntime(options: TestRuntimeOptions): Promise<TestRuntime> {
  const database = await templateDatabase();
  const workspace = path.join(database.dir, "workspace");
  const context = await start(options, { ...database, workspace });
  return {
    ...context,
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      if (typeof options.agent === "function") {
        expect(options.agent.running, "agents left running").toBe(0);
      }
      expect(await countMarked((mark) => mark.startsWith(`${context.deps.markPrefix}.`))).toBe(0);
      await database[Symbol.asyncDispose]();
    },
  };
}

interface Files extends Pick<Awaited<ReturnType<typeof templateDatabase>>, "db" | "dir"> {
  /** Where sessions work; a crash leaves it where it is. */
  workspace: string;
}

/** Copies what is on disk, the log included, and nothing that is only in memory. */
async function afterCrash(options: TestRuntimeOptions, killed: Files): Promise<TestRuntime> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-crash-"));
  for (const name of fs.readdirSync(killed.dir)) {
    if (!name.endsWith("-shm"))
      fs.cpSync(path.join(killed.dir, name), path.join(dir, name), { recursive: true });
  }
  const file = path.join(dir, "signalbox.db");
  const db = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
  const context = await start(options, { db, dir, workspace: killed.workspace });
  return {
    ...context,
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await db.close();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function start(options: TestRuntimeOptions, database: Files): Promise<TestRuntime> {
  const bugs: unknown[] = [];
  const { workspace } = database;
  fs.mkdirSync(workspace, { recursive: true });
  const owner = await claimNode(database.db, "test", Date.now());
  await recoverFromCrash(database.db, owner, Date.now());
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const db = options.throughDb?.(database.db) ?? database.db;
  const deps: RuntimeDeps = {
    db,
    owner,
    limits,
    catalogue: new Catalogue([catalogueAgent(options)], ""),
    launch: typeof options.agent === "function" ? options.agent : spawnAgent,
    sealer: openSealer(database.dir),
    version: "test",
    markPrefix: randomUUID(),
    instructions: options.instructions ?? null,
    baseEnv: { PATH: process.env.PATH ?? "" },
    workspaceRoots: [workspace],
    defaultWorkspace: workspace,
    closedFolder: path.join(database.dir, "closed"),
    mcpAllow: [],
    adapters: new LiveAdapters(limits.maxLiveAdapters),
    launches: new Launches(),
    fleet: new FleetFeed(db, owner.ownerEpoch),
    turnEnds: new TurnEnds(),
    onBug: (error) => bugs.push(error),
  };
  const runtime = createRuntime(deps);
  const submit: TestRuntime["submit"] = (text, input = {}) =>
    runtime.submitPrompt(
      {
        content: [{ type: "text", text }],
        ...input,
        sessionId: input.sessionId ?? "main",
      },
      OPERATOR,
    );
  const events = async (sessionId = "main") =>
    (await runtime.history({ sessionId, after: 0, limit: 10_000 })).events;
  return {
    runtime,
    deps,
    workspace,
    bugs,
    open: (input = {}) =>
      runtime.openSession(
        { agent: "scripted", ...input, sessionId: input.sessionId ?? "main" },
        OPERATOR,
      ),
    submit,
    prompt: async (text, input = {}) => {
      const { promptId } = await submit(text, input);
      return runtime.promptResult(
        { sessionId: input.sessionId ?? "main", promptId },
        new AbortController().signal,
      );
    },
    events,
    types: async (sessionId) => (await events(sessionId)).map((event) => event.type),
    startQueuedPrompts: () => runtime.startQueuedPrompts(),
    afterCrash: () => afterCrash(options, database),
    [Symbol.asyncDispose]: async () => {
      await runtime.close({ graceMs: 0 });
      expect(deps.adapters.count, "adapter slots still claimed").toBe(0);
      expect(deps.turnEnds.waiterCount, "callers still waiting for a turn").toBe(0);
    },
  };
}

function catalogueAgent(options: TestRuntimeOptions) {
  return {
    id: "scripted",
    title: "Scripted",
    ...(typeof options.agent === "function"
      ? { command: "/scripted", args: [] }
      : { command: process.execPath, args: [CHILD_AGENT, ...options.agent] }),
    env: options.agentEnv ?? {},
    secrets: options.agentEnv ?? {},
    source: "config" as const,
    profile: options.profile ?? GENERIC_PROFILE,
    model: options.model ?? null,
    isPackageRun: options.isPackageRun ?? false,
  };
}
