/** What the model knows of sessions, as plain data, and the steps that its commands are made of. */
import type { SessionName } from "./program.ts";

export const LIMITS = { maxQueuedPromptsPerSession: 2, maxPendingPermissionsPerSession: 2 };
export const CANCEL_GRACE_MS = 10_000;
/** What an agent that starts, or starts again, reports as its model. */
export const DEFAULT_MODEL = "a";
export const IDLE_UNLOAD_MS = 900_000;

export interface ExpectedPrompt {
  readonly label: string;
  readonly session: SessionName;
  readonly key: string | null;
  readonly text: string;
  state: "queued" | "running" | "cancelling" | "ended";
  /** What whoever waits is told; null while it has not ended. */
  outcome: string | null;
  readonly tools: Map<string, string>;
}

export interface ExpectedRequest {
  readonly title: string;
  readonly kind: "permission" | "question";
  readonly session: SessionName;
  readonly prompt: ExpectedPrompt | null;
  isPending: boolean;
  /** What a late answer is told. */
  reason: string;
  /** What the agent is answered; null where nobody can tell. */
  heard: string | null;
}

interface OpenText {
  readonly type: "agent_message_chunk" | "agent_thought_chunk";
  readonly messageId: string | null;
  readonly prompt: ExpectedPrompt | null;
  text: string;
  /** What a kill of the server would leave. */
  checkpoint: string | null;
}

export interface ExpectedSession {
  readonly name: SessionName;
  readonly incarnation: number;
  readonly policy: "ask" | "allow_all";
  /** The last sequence of the session of this name that was deleted before. */
  readonly base: number;
  readonly events: string[];
  prompts: ExpectedPrompt[];
  env: string | null;
  config: string;
  isLive: boolean;
  graceAtMs: number | null;
  idleAtMs: number | null;
  open: OpenText | null;
  /** Which turn each message and tool call began in. */
  readonly owners: Map<string, ExpectedPrompt | null>;
  error: string | null;
  title: string | null;
  used: number | null;
}

export interface World {
  readonly restore: "resume" | "load" | "none";
  readonly obeysCancel: boolean;
  nowMs: number;
  /** The server stops: what is queued stays. */
  isHeld: boolean;
  incarnations: number;
  readonly sessions: Map<SessionName, ExpectedSession>;
  readonly lastSequences: Map<SessionName, number>;
  readonly requests: ExpectedRequest[];
  /** Every prompt that was accepted, those of deleted sessions too. */
  readonly prompts: ExpectedPrompt[];
  /** The values that agents were asked to set, in order. */
  readonly settings: string[];
  /** The environment of each start so far. */
  readonly launches: (string | null)[];
  /** The texts that agents were handed, in order. */
  readonly dispatched: string[];
}

export function newWorld(options: Pick<World, "restore" | "obeysCancel" | "nowMs">): World {
  return {
    ...options,
    isHeld: false,
    incarnations: 0,
    sessions: new Map(),
    lastSequences: new Map(),
    requests: [],
    prompts: [],
    settings: [],
    launches: [],
    dispatched: [],
  };
}

export function runningOf({ prompts }: ExpectedSession): ExpectedPrompt | null {
  return prompts.find(({ state }) => state === "running" || state === "cancelling") ?? null;
}

export function queueOf({ prompts }: ExpectedSession): ExpectedPrompt[] {
  return prompts.filter(({ state }) => state === "queued");
}

export function pendingOf(world: World, session: ExpectedSession): ExpectedRequest[] {
  return world.requests.filter((request) => request.session === session.name && request.isPending);
}

export function happen(
  { events }: ExpectedSession,
  type: string,
  prompt: ExpectedPrompt | null,
  ...details: unknown[]
): void {
  events.push([type, prompt?.label ?? "no turn", ...details].join(" | "));
}

/** A boundary: what was said is an event. */
export function endMessage(session: ExpectedSession, isPartial = false): void {
  const { open } = session;
  session.open = null;
  if (!open) return;
  const isCutShort = isPartial || runningOf(session)?.state === "cancelling";
  happen(session, open.type, open.prompt, open.text, isCutShort ? "partial" : "whole");
}

export function touch(world: World, session: ExpectedSession): void {
  session.idleAtMs = world.nowMs + IDLE_UNLOAD_MS;
}

/** Ends requests of one turn, those outside any turn (null), or all (undefined). */
export function endRequests(
  world: World,
  session: ExpectedSession,
  scope: { prompt?: ExpectedPrompt | null; reason: string; heard: string | null },
): void {
  const ended = pendingOf(world, session).filter(
    ({ prompt }) => scope.prompt === undefined || prompt === scope.prompt,
  );
  for (const kind of ["permission", "question"] as const) {
    for (const request of ended.filter((one) => one.kind === kind)) {
      request.isPending = false;
      request.reason = scope.reason;
      if (kind === "question" && scope.heard === "cancelled") request.heard = "cancel";
      else request.heard = scope.heard;
      happen(session, `${kind} ended`, request.prompt, request.title, scope.reason);
    }
  }
}

export type TurnEnd =
  | { readonly stopReason: string }
  | { readonly error: string; readonly delivery: "never" | "uncertain" };

/** The last commit of a turn; then what is queued goes on. */
export function endTurn(
  world: World,
  session: ExpectedSession,
  prompt: ExpectedPrompt,
  end: TurnEnd,
): void {
  const open = [...prompt.tools]
    .filter(([, status]) => status !== "completed" && status !== "failed")
    .map(([id]) => id);
  const how = "error" in end ? `${end.error} ${end.delivery}` : end.stopReason;
  happen(session, "turn ended", prompt, how, open);
  prompt.state = "ended";
  prompt.outcome = "error" in end ? end.error : `${end.stopReason}: ${spokenIn(session, prompt)}`;
  session.error = "error" in end ? end.error : null;
  session.graceAtMs = null;
  touch(world, session);
}

function spokenIn({ events }: ExpectedSession, prompt: ExpectedPrompt): string {
  return events
    .map((event) => event.split(" | "))
    .filter(([type, label]) => type === "agent_message_chunk" && label === prompt.label)
    .map(([, , text]) => text)
    .join("|");
}

export function startNext(world: World, session: ExpectedSession): void {
  const [next] = queueOf(session);
  if (!next || runningOf(session) || world.isHeld) return;
  endMessage(session);
  startTurn(world, session, next);
}

export function startTurn(world: World, session: ExpectedSession, prompt: ExpectedPrompt): void {
  prompt.state = "running";
  session.error = null;
  happen(session, "user_message_chunk", prompt, prompt.text);
  ensureLive(world, session);
  world.dispatched.push(prompt.text);
}

export function ensureLive(world: World, session: ExpectedSession): void {
  if (session.isLive) return;
  world.launches.push(session.env);
  session.isLive = true;
  session.owners.clear();
  // The agent begins with its own default whatever was set before.
  if (session.config !== DEFAULT_MODEL) world.settings.push(session.config);
  const mode = { resume: "resumed", load: "loaded", none: "continued" }[world.restore];
  happen(session, "_signalbox/restored", runningOf(session), mode);
}

/** Everything but the end itself, which an agent that obeys brings about at once. */
export function cancelTurn(
  world: World,
  session: ExpectedSession,
  prompt: ExpectedPrompt,
  reason: string,
): void {
  if (prompt.state !== "running") return;
  prompt.state = "cancelling";
  endRequests(world, session, { prompt, reason, heard: "cancelled" });
  if (world.obeysCancel) endCancelled(world, session, prompt);
  else session.graceAtMs = world.nowMs + CANCEL_GRACE_MS;
}

export function endCancelled(world: World, session: ExpectedSession, prompt: ExpectedPrompt): void {
  endMessage(session, true);
  endTurn(world, session, prompt, { stopReason: "cancelled" });
}

/** Ends a queued prompt before it starts. */
export function cancelQueued(session: ExpectedSession, prompt: ExpectedPrompt): void {
  happen(session, "turn ended", prompt, "cancelled", []);
  prompt.state = "ended";
  prompt.outcome = "cancelled: ";
  session.error = null;
}
