/**
 * One JSON file a session, replaced as a whole.
 *
 * A file is written beside its target and renamed over it, so a reader or a killed process
 * never leaves half a session. It is not synced to disk: a demo outlives its own crash,
 * not a power cut.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import { isSessionId, type StoredSession, storedSessionSchema } from "./stored-session.ts";

export interface SessionPage {
  readonly sessions: StoredSession[];
  readonly nextCursor: string | null;
}

const PAGE_ENTRIES = 50;
const SUFFIX = ".json";

export class SessionStore {
  readonly #dir: string;
  /** Writes go one after another: of two at once the older could be renamed last. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Writes the session as it is when its turn to be written comes. */
  save(session: StoredSession): Promise<void> {
    return this.#afterEarlier(() => this.#replace(session));
  }

  /**
   * The stored session, or `undefined` when there is none of that id.
   *
   * @throws Error when the file cannot be read or is not a session
   */
  async read(sessionId: string): Promise<StoredSession | undefined> {
    if (!isSessionId(sessionId)) return undefined;
    let text: string;
    try {
      text = await readFile(this.#path(sessionId), "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    return storedSessionSchema.parse(JSON.parse(text));
  }

  /** Removes a session; one that does not exist is already removed. */
  async remove(sessionId: string): Promise<void> {
    if (!isSessionId(sessionId)) return;
    await this.#afterEarlier(() => rm(this.#path(sessionId), { force: true }));
  }

  /**
   * One page of sessions, newest first; `cwd` is compared exactly. A file that cannot be read
   * is told to stderr and left out.
   *
   * @throws RequestError -32602 when the cursor is not one of ours
   */
  async list(cwd: string | null, cursor: string | null): Promise<SessionPage> {
    const all = (await this.#readAll()).filter((session) => cwd === null || session.cwd === cwd);
    all.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
    const after = cursor === null ? undefined : sortKeyOf(cursor);
    const rest = after === undefined ? all : all.filter((session) => sortKey(session) < after);
    const sessions = rest.slice(0, PAGE_ENTRIES);
    const last = sessions.at(-1);
    const more = last !== undefined && rest.length > sessions.length;
    return {
      sessions,
      nextCursor: more ? Buffer.from(sortKey(last)).toString("base64url") : null,
    };
  }

  #afterEarlier(write: () => Promise<void>): Promise<void> {
    const written = this.#lastWrite.then(write);
    // Its own caller hears of a failure; the next write does not depend on it.
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #replace(session: StoredSession): Promise<void> {
    const text = JSON.stringify(session);
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const target = this.#path(session.sessionId);
    const temporary = `${target}.${randomUUID()}.tmp`;
    try {
      await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async #readAll(): Promise<StoredSession[]> {
    let names: string[];
    try {
      names = await readdir(this.#dir);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
    const sessions: StoredSession[] = [];
    for (const name of names) {
      if (!name.endsWith(SUFFIX)) continue;
      try {
        const session = await this.read(name.slice(0, -SUFFIX.length));
        if (session !== undefined) sessions.push(session);
      } catch (error) {
        process.stderr.write(`demo agent: ${name} cannot be read: ${String(error)}\n`);
      }
    }
    return sessions;
  }

  #path(sessionId: string): string {
    return join(this.#dir, `${sessionId}${SUFFIX}`);
  }
}

function sortKey(session: StoredSession): string {
  return `${session.updatedAt} ${session.sessionId}`;
}

function sortKeyOf(cursor: string): string {
  const key = Buffer.from(cursor, "base64url").toString();
  const [updatedAt = "", sessionId = ""] = key.split(" ");
  if (Number.isNaN(Date.parse(updatedAt)) || !isSessionId(sessionId)) {
    throw RequestError.invalidParams({ cursor }, "unknown cursor");
  }
  return key;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
