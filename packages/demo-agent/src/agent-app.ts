import { randomUUID } from "node:crypto";
import { isAbsolute } from "node:path";
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { availableCommands } from "./commands.ts";
import { configOptions, modeState, withOption } from "./config-options.ts";
import { LiveSession } from "./live-session.ts";
import type { SessionStore } from "./session-store.ts";
import { AGENT_VERSION, type Settings } from "./settings.ts";
import { newStoredSession, type StoredSession } from "./stored-session.ts";
import { usageUpdate } from "./turn.ts";

/** What the handlers of one connection share. */
interface Shared {
  readonly settings: Settings;
  readonly store: SessionStore;
  readonly live: Map<string, LiveSession>;
  clientCapabilities: ClientCapabilities;
}

/** The demo agent, ready to be connected to one client. */
export function demoAgent(settings: Settings, store: SessionStore): AgentApp {
  const shared: Shared = { settings, store, live: new Map(), clientCapabilities: {} };
  const app = agent({ name: "signalbox-demo" });
  // The order matters: each message passes the handlers before its own one microtask at a
  // time, so a cancel that was sent after a prompt may not be registered before it.
  addTurns(app, shared);
  addSessions(app, shared);
  addConfig(app, shared);
  return app;
}

function addTurns(app: AgentApp, shared: Shared): void {
  app
    .onRequest("session/prompt", async ({ params, client, signal }) => ({
      stopReason: await liveSession(shared, params.sessionId).prompt({
        client,
        clientCapabilities: shared.clientCapabilities,
        delayMs: shared.settings.delayMs,
        prompt: params.prompt,
        signal,
      }),
    }))
    .onNotification("session/cancel", ({ params }) => shared.live.get(params.sessionId)?.cancel());
}

function addSessions(app: AgentApp, shared: Shared): void {
  app
    .onRequest("initialize", ({ params }) => {
      shared.clientCapabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "signalbox-demo", title: "Signalbox Demo", version: AGENT_VERSION },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: true, embeddedContext: true },
          sessionCapabilities: {
            list: {},
            resume: {},
            close: {},
            delete: {},
            additionalDirectories: {},
          },
        },
        authMethods: [],
      };
    })
    .onRequest("session/new", async ({ params, client }) => {
      assertAbsolute(params.cwd);
      const sessionId = `demo-${randomUUID()}`;
      const stored = newStoredSession(sessionId, params.cwd, params.additionalDirectories ?? []);
      await attach(shared, stored).save();
      announceLater(client, stored);
      return { sessionId, ...setup(shared, stored) };
    })
    .onRequest("session/load", async ({ params, client }) => {
      const stored = await restore(shared, params);
      for (const update of [...stored.transcript, ...stateUpdates(stored)]) {
        await client.notify("session/update", { sessionId: stored.sessionId, update });
      }
      announceLater(client, stored);
      return setup(shared, stored);
    })
    .onRequest("session/resume", async ({ params, client }) => {
      const stored = await restore(shared, params);
      announceLater(client, stored);
      return setup(shared, stored);
    })
    .onRequest("session/list", async ({ params }) => {
      const page = await shared.store.list(params.cwd ?? null, params.cursor ?? null);
      return {
        sessions: page.sessions.map(
          ({ sessionId, cwd, additionalDirectories, title, updatedAt }) => ({
            sessionId,
            cwd,
            additionalDirectories,
            title,
            updatedAt,
          }),
        ),
        nextCursor: page.nextCursor,
      };
    })
    .onRequest("session/close", async ({ params }) => {
      const session = liveSession(shared, params.sessionId);
      shared.live.delete(params.sessionId);
      await session.close();
      return {};
    })
    .onRequest("session/delete", async ({ params }) => {
      const session = shared.live.get(params.sessionId);
      shared.live.delete(params.sessionId);
      await session?.close();
      await shared.store.remove(params.sessionId);
      return {};
    });
}

function addConfig(app: AgentApp, shared: Shared): void {
  app
    .onRequest("session/set_config_option", async ({ params, client }) => {
      const session = liveSession(shared, params.sessionId);
      const { stored } = session;
      const modeBefore = stored.config.mode;
      stored.config = withOption(stored.config, params.configId, params.value);
      await session.save();
      if (stored.config.mode !== modeBefore) await notifyMode(client, stored);
      return { configOptions: optionsFor(shared, stored) };
    })
    .onRequest("session/set_mode", async ({ params, client }) => {
      const session = liveSession(shared, params.sessionId);
      const { stored } = session;
      stored.config = withOption(stored.config, "mode", params.modeId);
      await session.save();
      const update = {
        sessionUpdate: "config_option_update" as const,
        configOptions: optionsFor(shared, stored),
      };
      await client.notify("session/update", { sessionId: stored.sessionId, update });
      await notifyMode(client, stored);
      return {};
    });
}

async function notifyMode(client: AgentContext, stored: StoredSession): Promise<void> {
  await client.notify("session/update", {
    sessionId: stored.sessionId,
    update: { sessionUpdate: "current_mode_update", currentModeId: stored.config.mode },
  });
}

function liveSession(shared: Shared, sessionId: string): LiveSession {
  const session = shared.live.get(sessionId);
  if (session === undefined) throw RequestError.sessionNotFound(sessionId);
  return session;
}

function assertAbsolute(cwd: string): void {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, "cwd must be absolute");
}

function attach(shared: Shared, stored: StoredSession): LiveSession {
  const session = new LiveSession(stored, shared.store);
  shared.live.set(stored.sessionId, session);
  return session;
}

/** Opens a stored session in the folders that the client names now. */
async function restore(
  shared: Shared,
  params: { sessionId: string; cwd: string; additionalDirectories?: string[] },
): Promise<StoredSession> {
  assertAbsolute(params.cwd);
  const open = shared.live.get(params.sessionId);
  const stored = open?.stored ?? (await shared.store.read(params.sessionId));
  if (stored === undefined) throw RequestError.sessionNotFound(params.sessionId);
  stored.cwd = params.cwd;
  stored.additionalDirectories = params.additionalDirectories ?? [];
  if (open === undefined) attach(shared, stored);
  return stored;
}

function optionsFor(shared: Shared, stored: StoredSession) {
  const withBoolean = Boolean(shared.clientCapabilities.session?.configOptions?.boolean);
  return configOptions(stored.config, withBoolean);
}

function setup(shared: Shared, stored: StoredSession) {
  return { modes: modeState(stored.config), configOptions: optionsFor(shared, stored) };
}

function stateUpdates(stored: StoredSession): SessionUpdate[] {
  const { title, updatedAt } = stored;
  return [{ sessionUpdate: "session_info_update", title, updatedAt }, usageUpdate(stored)];
}

/** Tells the commands once the response that names the session is on its way. */
function announceLater(client: AgentContext, stored: StoredSession): void {
  const { sessionId } = stored;
  const update: SessionUpdate = {
    sessionUpdate: "available_commands_update",
    availableCommands: availableCommands(),
  };
  setImmediate(() => {
    client.notify("session/update", { sessionId, update }).catch((error: unknown) => {
      process.stderr.write(`demo agent: the commands could not be told: ${String(error)}\n`);
    });
  });
}
