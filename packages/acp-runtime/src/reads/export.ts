/** A session's history as a file: every event as a line of JSON, or a transcript to read. */
import { type EventRow, readEventsAfter, readSession } from "@signalbox/db";
import { parseSessionId } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { eventOf } from "../sessions/session-view.ts";
import { eventText } from "./event-text.ts";
import { markdownHead, markdownOf } from "./export-markdown.ts";
import { cursorExpired } from "./stored-reads.ts";

export type ExportFormat = "jsonl" | "markdown";

export interface SessionExport {
  readonly fileName: string;
  readonly contentType: string;
  /** Read page by page, so that a slow reader holds no transaction. */
  readonly chunks: AsyncGenerator<string>;
}

const PAGE_EVENTS = 1_000;

/**
 * Everything up to the newest event of this moment.
 *
 * @throws AppError `session_not_found`; while it is read, `history_cursor_expired` when what was
 *   not read yet is cut from history
 */
export async function exportSession(
  deps: RuntimeDeps,
  target: { sessionId: string; format: ExportFormat },
): Promise<SessionExport> {
  const session = await readSession(deps.db, parseSessionId(target.sessionId));
  const rows = rowsUpTo(deps, session.sessionId, {
    after: session.oldestSequence - 1,
    latest: session.latestSequence,
  });
  const isText = target.format === "jsonl";
  return {
    fileName: `${fileSafe(session.sessionId)}.${isText ? "jsonl" : "md"}`,
    contentType: isText ? "application/jsonl; charset=utf-8" : "text/markdown; charset=utf-8",
    chunks: isText
      ? mapped(rows, (row) => `${eventText(row)}\n`)
      : mapped(rows, (row) => markdownOf(eventOf(row)), markdownHead(session)),
  };
}

async function* rowsUpTo(
  { db }: RuntimeDeps,
  sessionId: string,
  { after, latest }: { after: number; latest: number },
): AsyncGenerator<EventRow[]> {
  let read = after;
  while (read < latest) {
    const { rows } = await readEventsAfter(db, sessionId, read, PAGE_EVENTS);
    const due = rows.filter(({ sequence }) => sequence <= latest);
    if (due[0]?.sequence !== read + 1) throw cursorExpired(await readSession(db, sessionId), read);
    read += due.length;
    yield due;
  }
}

async function* mapped(
  pages: AsyncGenerator<EventRow[]>,
  textOf: (row: EventRow) => string,
  head = "",
): AsyncGenerator<string> {
  if (head !== "") yield head;
  for await (const page of pages) yield page.map(textOf).join("");
}

/** A name that every file system takes; two ids may share one. */
function fileSafe(sessionId: string): string {
  return sessionId.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 80) || "session";
}
