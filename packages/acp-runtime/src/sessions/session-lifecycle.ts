/** Open, unload and delete: one at a time for each session. */
import { createHash } from "node:crypto";
import {
  appendAuditInWrite,
  countSessions,
  countSessionsIn,
  createSessionInWrite,
  deleteSessionInWrite,
  findSession,
  type NewSession,
  replaceEnvInWrite,
  sessionNotFound,
} from "@signalbox/db";
import {
  AppError,
  canonicalJson,
  limitError,
  limitPath,
  type OpenSessionInput,
  parseSessionId,
} from "@signalbox/protocol";
import { type LaunchPlan, launchAdapter, negotiatedOf } from "../adapter/adapter-launch.ts";
import { newAgentSession, selectModel } from "../adapter/adapter-session.ts";
import { StartClaim } from "../adapter/live-adapters.ts";
import { StderrFeed } from "../adapter/stderr-feed.ts";
import { instructionsOf } from "../agents/instructions.ts";
import type { Caller, WithSession } from "../queries.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { KeyedQueue } from "../turns/keyed-queue.ts";
import {
  adoptAgentSession,
  adoptedIdOf,
  assertNotBound,
  assertNotBoundInWrite,
  importInWrite,
} from "./adopt.ts";
import { storedMcpServers } from "./mcp-secrets.ts";
import {
  assertEnv,
  assertMcpServers,
  assertSameIdentity,
  identityOf,
  type SessionIdentity,
} from "./open-session.ts";
import { assertFolders } from "./session-folders.ts";
import type { SessionHost } from "./session-host.ts";
import type { SessionHosts } from "./session-hosts.ts";
import { SharedTasks } from "./shared-tasks.ts";

type SecretValues = Readonly<Record<string, string>>;

interface OpenOrder {
  readonly sessionId: string;
  readonly identity: SessionIdentity;
  readonly env: SecretValues | undefined;
  readonly caller: Caller;
}

export class SessionLifecycle {
  readonly #deps: RuntimeDeps;
  readonly #hosts: SessionHosts;
  readonly #queue = new KeyedQueue();
  /** Equal opens that come while one is under way get what it gets, its failure too. */
  readonly #shared = new SharedTasks();
  readonly #closing: AbortSignal;
  /** Opens under way or waiting for their turn, each with what ends it. */
  readonly #opening = new Map<string, Set<AbortController>>();

  /** @param closing aborts starts when the server stops */
  constructor(deps: RuntimeDeps, hosts: SessionHosts, closing: AbortSignal) {
    this.#deps = deps;
    this.#hosts = hosts;
    this.#closing = closing;
  }

  /** Creates or restores; equal opens that come at once share one start. */
  async open(input: WithSession<OpenSessionInput>, caller: Caller): Promise<void> {
    const sessionId = parseSessionId(input.sessionId);
    this.#deps.catalogue.get(input.agent);
    const identity = identityOf(this.#deps, input);
    const isAdmin = caller.isAdmin ?? false;
    if (input.env) assertEnv(input.env, isAdmin);
    assertMcpServers(this.#deps, identity.mcpServers, isAdmin);
    const order = { sessionId, identity, env: input.env, caller };
    const key = createHash("sha256")
      .update(canonicalJson(JSON.parse(JSON.stringify({ identity, env: input.env ?? null }))))
      .digest("hex");
    await this.#shared.run(sessionId, key, () => this.#open(order));
  }

  async #open({ sessionId, identity, env, caller }: OpenOrder): Promise<void> {
    const given = this.#giveUp(sessionId);
    try {
      await assertFolders(this.#deps, identity);
      await this.#queue.run(sessionId, async () => {
        given.signal.throwIfAborted();
        const row = await findSession(this.#deps.db, sessionId);
        if (row) {
          assertSameIdentity(this.#deps, row, identity);
          if (env) await this.#replaceEnv(sessionId, env, caller, "sessions.open");
          const host = await this.#hosts.get(sessionId);
          await host.adapter.ensure(given.signal);
          host.touch();
        } else {
          await this.#create(sessionId, identity, { env: env ?? {}, caller, ...given });
        }
      });
    } finally {
      given.release();
    }
  }

  /** Replaces the session's own values; they reach the adapter at its next start. */
  async rotateEnv(
    sessionId: string,
    env: Readonly<Record<string, string>>,
    caller: Caller,
  ): Promise<void> {
    assertEnv(env, caller.isAdmin ?? false);
    await this.#replaceEnv(parseSessionId(sessionId), env, caller, "sessions.rotateEnv");
  }

  async unload(sessionId: string): Promise<void> {
    const host = await this.#hosts.get(sessionId);
    this.#cancelOpens(sessionId, "sessions.unload");
    await this.#queue.run(sessionId, () => host.unload("session_unloaded", { keepsQueue: false }));
  }

  async delete(sessionId: string, caller: Caller): Promise<void> {
    this.#cancelOpens(parseSessionId(sessionId), "sessions.delete");
    await this.#queue.run(sessionId, async () => {
      const row = await findSession(this.#deps.db, sessionId);
      if (!row) return;
      const host = await this.#hosts.get(sessionId);
      await host.unload("session_deleted", { keepsQueue: false });
      const target = { sessionId, actor: caller.actor, address: caller.address };
      await host.log.write((sqlite) => deleteSessionInWrite(sqlite, target, Date.now()));
      this.#hosts.remove(host);
      host.end();
      // A prompt that was accepted beside the delete has lost its session: its adapter goes too.
      await host.adapter.stop({ graceMs: 0 });
    });
  }

  /** What ends the start of an open: the server's stop, or an unload or delete that comes after it. */
  #giveUp(sessionId: string): { signal: AbortSignal; release: () => void } {
    const controller = new AbortController();
    const opens = this.#opening.get(sessionId) ?? new Set();
    this.#opening.set(sessionId, opens.add(controller));
    const onClosing = () => controller.abort(this.#closing.reason);
    if (this.#closing.aborted) onClosing();
    this.#closing.addEventListener("abort", onClosing, { once: true });
    return {
      signal: controller.signal,
      release: () => {
        this.#closing.removeEventListener("abort", onClosing);
        opens.delete(controller);
        if (opens.size === 0) this.#opening.delete(sessionId);
      },
    };
  }

  /** A start is not waited for by what ends it anyway. */
  #cancelOpens(sessionId: string, by: string): void {
    // An open that comes after this one is for a start of its own.
    this.#shared.forget(sessionId);
    const cause = new AppError("adapter_spawn_failed", `the start was cancelled by ${by}`, {
      details: { phase: "start", cancelledBy: by },
    });
    for (const open of this.#opening.get(sessionId) ?? []) open.abort(cause);
  }

  async #create(
    sessionId: string,
    identity: SessionIdentity,
    { env, caller, signal }: { env: SecretValues; caller: Caller; signal: AbortSignal },
  ): Promise<void> {
    const deps = this.#deps;
    const adopted = adoptedIdOf(identity);
    await this.#assertRoom();
    if (adopted !== null) await assertNotBound(deps.db, identity.agent, adopted);
    const claim = new StartClaim();
    await deps.adapters.claim(claim);
    try {
      const agent = deps.catalogue.get(identity.agent);
      const stderr = new StderrFeed(deps.limits.stderrTailBytes);
      const instructions = instructionsOf(deps, identity);
      const plan: LaunchPlan = { sessionId, agent, setup: identity, env, instructions, stderr };
      const { adapter, budget } = await launchAdapter(deps, plan, signal);
      const setup = identity;
      const { limits } = deps;
      const context = { adapter, setup, budget, signal, limits, agent, instructions };
      const imported =
        adopted === null ? null : await adoptAgentSession(context, { sessionId, adopted });
      const reported =
        imported?.reported ?? (await selectModel(context, await newAgentSession(context)));
      let host: SessionHost;
      try {
        await deps.db.write((sqlite) => {
          const now = Date.now();
          // Again where nothing can come between: other opens were on their way as well.
          this.#assertCount(countSessionsIn(sqlite) + 1);
          if (adopted !== null) assertNotBoundInWrite(sqlite, identity.agent, adopted);
          const session = this.#newSession(sessionId, identity, env);
          createSessionInWrite(sqlite, session, negotiatedOf(adapter, reported), now);
          if (imported) importInWrite(sqlite, { sessionId, ...deps.owner }, imported);
          appendAuditInWrite(sqlite, openAudit(sessionId, identity, env, caller), now);
        });
        host = await this.#hosts.get(sessionId);
      } catch (error) {
        await adapter.stop({ graceMs: 0 });
        throw error;
      }
      deps.adapters.release(claim);
      await deps.adapters.claim(host);
      stderr.handTo(host.log.stderr);
      host.adapter.adopt(adapter);
      host.touch();
      deps.fleet.tell({ type: "session_changed", sessionId });
    } finally {
      deps.adapters.release(claim);
    }
  }

  async #assertRoom(): Promise<void> {
    this.#assertCount((await countSessions(this.#deps.db)) + 1);
  }

  #assertCount(actual: number): void {
    const { limits } = this.#deps;
    if (actual <= limits.maxSessions) return;
    throw limitError("sessions_limit", `${limits.maxSessions} sessions exist already`, {
      limit: limitPath("maxSessions"),
      max: limits.maxSessions,
      actual,
    });
  }

  #newSession(
    sessionId: string,
    identity: SessionIdentity,
    env: Readonly<Record<string, string>>,
  ): NewSession {
    return {
      sessionId,
      agent: identity.agent,
      cwd: identity.cwd,
      additionalDirectories: JSON.stringify(identity.additionalDirectories),
      mcpServers: storedMcpServers(this.#deps, sessionId, identity.mcpServers),
      permissionPolicy: identity.permissionPolicy,
      skipOsInstructions: identity.skipOsInstructions,
      additionalInstructions: identity.additionalInstructions,
      adopt: identity.adopt === null ? null : JSON.stringify(identity.adopt),
      envSealed: this.#seal(sessionId, env),
      ...this.#deps.owner,
    };
  }

  #seal(sessionId: string, env: Readonly<Record<string, string>>): string | null {
    if (Object.keys(env).length === 0) return null;
    return this.#deps.sealer.seal(JSON.stringify(env), sessionId);
  }

  async #replaceEnv(
    sessionId: string,
    env: SecretValues,
    caller: Caller,
    action: string,
  ): Promise<void> {
    const sealed = this.#deps.sealer.seal(JSON.stringify(env), sessionId);
    await this.#deps.db.write((sqlite) => {
      if (!replaceEnvInWrite(sqlite, sessionId, sealed)) throw sessionNotFound(sessionId);
      appendAuditInWrite(
        sqlite,
        {
          actor: caller.actor,
          address: caller.address,
          action,
          sessionId,
          target: null,
          outcome: "ok",
          details: { envNames: Object.keys(env) },
        },
        Date.now(),
      );
    });
  }
}

function openAudit(
  sessionId: string,
  identity: SessionIdentity,
  env: Readonly<Record<string, string>>,
  caller: Caller,
) {
  return {
    actor: caller.actor,
    address: caller.address,
    action: "sessions.open",
    sessionId,
    target: identity.agent,
    outcome: "ok",
    details: {
      cwd: identity.cwd,
      permissionPolicy: identity.permissionPolicy,
      envNames: Object.keys(env),
    },
  };
}
