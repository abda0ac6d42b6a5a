import { readSession } from "@signalbox/db";
import { type AdapterPresence, parseSessionId } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { SessionHost } from "./session-host.ts";

/** The sessions that memory knows; a host is made when a session is first used. */
export class SessionHosts {
  readonly #deps: RuntimeDeps;
  readonly #hosts = new Map<string, SessionHost>();
  readonly #loading = new Map<string, Promise<SessionHost>>();

  constructor(deps: RuntimeDeps) {
    this.#deps = deps;
  }

  get all(): SessionHost[] {
    return [...this.#hosts.values()];
  }

  find(sessionId: string): SessionHost | undefined {
    return this.#hosts.get(sessionId);
  }

  presenceOf(sessionId: string): AdapterPresence {
    return this.#hosts.get(sessionId)?.adapter.presence ?? "unloaded";
  }

  /** @throws AppError `invalid_session_id` or `session_not_found` */
  async get(sessionId: string): Promise<SessionHost> {
    const known = this.#hosts.get(parseSessionId(sessionId));
    if (known) return known;
    const loading = this.#loading.get(sessionId) ?? this.#load(sessionId);
    this.#loading.set(sessionId, loading);
    return loading;
  }

  remove(host: SessionHost): void {
    if (this.#hosts.get(host.sessionId) === host) this.#hosts.delete(host.sessionId);
  }

  async #load(sessionId: string): Promise<SessionHost> {
    try {
      const host = new SessionHost(this.#deps, await readSession(this.#deps.db, sessionId));
      this.#hosts.set(sessionId, host);
      return host;
    } finally {
      this.#loading.delete(sessionId);
    }
  }
}
