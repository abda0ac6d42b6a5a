/** Taking over one of an agent's own sessions: its transcript becomes history, once. */
import {
  appendEventsInWrite,
  type Database,
  foldInWrite,
  isAgentSessionBound,
  isAgentSessionBoundIn,
  type NewEvent,
  type Owner,
  type SessionFold,
  type Sqlite,
} from "@signalbox/db";
import {
  type AcpLimits,
  AppError,
  isJsonObject,
  type JsonObject,
  limitError,
  limitPath,
} from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import {
  type ReportedSession,
  reportedBy,
  type SetupContext,
  setupParams,
} from "../adapter/adapter-session.ts";
import { patienceOf, startFailure } from "../adapter/adapter-start.ts";
import { takeUpdate } from "../output/update-intake.ts";
import { RpcError } from "../wire/rpc-error.ts";
import type { SessionIdentity } from "./open-session.ts";
import { TranscriptImport } from "./transcript-import.ts";

export interface ImportedSession {
  readonly reported: ReportedSession;
  readonly events: readonly NewEvent[];
  readonly fold: SessionFold;
}

export function adoptedIdOf({ adopt }: SessionIdentity): string | null {
  return isJsonObject(adopt) && typeof adopt.agentSessionId === "string"
    ? adopt.agentSessionId
    : null;
}

/** @throws AppError `adopt_failed` when a session here has it already */
export async function assertNotBound(db: Database, agent: string, id: string): Promise<void> {
  if (await isAgentSessionBound(db, agent, id)) throw alreadyBound(id);
}

/** The same, where nothing can come between. */
export function assertNotBoundInWrite(sqlite: Sqlite, agent: string, id: string): void {
  if (isAgentSessionBoundIn(sqlite, agent, id)) throw alreadyBound(id);
}

function alreadyBound(agentSessionId: string): AppError {
  return new AppError("adopt_failed", "a session here has this session of the agent already", {
    details: { field: "adopt.agentSessionId", agentSessionId },
  });
}

/**
 * Loads the agent's session and keeps what it replays.
 *
 * @throws AppError `adopt_failed` when the agent cannot load sessions, or not this one; or as
 *   `startFailure` says. The adapter is stopped then.
 */
export async function adoptAgentSession(
  context: SetupContext,
  { sessionId, adopted }: { sessionId: string; adopted: string },
): Promise<ImportedSession> {
  const { adapter, budget, signal, limits } = context;
  const refuse = async (message: string, details: JsonObject) => {
    await adapter.stop({ graceMs: 0 });
    return new AppError("adopt_failed", message, { details: { field: "adopt", ...details } });
  };
  if (adapter.agentCapabilities.loadSession !== true) {
    throw await refuse("the agent does not load sessions, so none of its own can be adopted", {});
  }
  const { maxSessionHistoryEvents: maxEvents, maxSessionHistoryBytes: maxBytes } = limits;
  const { redaction } = adapter;
  redaction.replaceSessionId(adopted, sessionId);
  const transcript = new TranscriptImport({ redaction, maxEvents, maxBytes });
  try {
    const answer = await adapter.requestWithReplay(
      "session/load",
      { sessionId: adopted, ...setupParams(context) },
      { signal, ...patienceOf(budget) },
      (update) => {
        takeUpdate({ log: transcript, redaction, cost: SPENT_BEFORE }, update, null);
        boundMessage(adapter, transcript.openBytes, limits);
      },
    );
    adapter.agentSessionId = adopted;
    return { reported: reportedBy(answer), ...transcript.end() };
  } catch (error) {
    if (!(error instanceof RpcError)) throw await startFailure(adapter, "session/load", error);
    const { method, rpcCode, rpcMessage, rpcData } = error;
    throw await refuse(`the agent does not load this session: ${rpcMessage}`, {
      method,
      rpcCode,
      rpcMessage,
      rpcData,
    });
  }
}

/** What the agent's session had cost was not spent here. */
const SPENT_BEFORE = { take: () => null };

/** A message that would fit no history is not waited for. */
function boundMessage(
  { wire }: Adapter,
  actual: number,
  { maxMessageBytes: max }: AcpLimits,
): void {
  if (actual <= max) return;
  const limit = limitPath("maxMessageBytes");
  const message = `a message of the transcript exceeds ${limit} (${max} bytes)`;
  wire.close(limitError("limit_exceeded", message, { limit, max, actual }));
}

/** In the transaction that creates the session. */
export function importInWrite(
  sqlite: Sqlite,
  target: { sessionId: string } & Owner,
  { events, fold }: ImportedSession,
): void {
  if (events.length > 0) appendEventsInWrite(sqlite, target, events);
  foldInWrite(sqlite, target.sessionId, fold);
}
