/** What follows in the model from an action of the agent, from time, and from the server's end. */
import {
  cancelTurn,
  type ExpectedSession,
  endCancelled,
  endMessage,
  endRequests,
  endTurn,
  happen,
  IDLE_UNLOAD_MS,
  LIMITS,
  pendingOf,
  runningOf,
  startNext,
  type World,
} from "./expected-world.ts";
import type { AgentAction } from "./program.ts";

type Action<Do extends AgentAction["do"]> = Extract<AgentAction, { do: Do }>;

/** @param title of the request that the agent makes, where it makes one */
export function agentActs(world: World, action: AgentAction, title: string): void {
  const session = world.sessions.get(action.session);
  if (!session?.isLive) return;
  switch (action.do) {
    case "say":
    case "think":
      says(session, action);
      break;
    case "tool":
      tellsOfTool(session, action.status);
      break;
    case "update":
      updates(session, action.kind);
      break;
    case "ask":
    case "question":
      asks(world, session, { kind: action.do, title });
      break;
    case "finish":
      finishes(world, session, action.how);
      break;
    case "exit":
      exits(world, session, action.code);
      break;
  }
}

/** A message or call that began before is not of the turn that runs. */
function ownerOf(session: ExpectedSession, id: string | null, isNew: boolean) {
  const running = runningOf(session);
  if (id === null) return running;
  const known = isNew ? undefined : session.owners.get(id);
  if (known !== undefined) return known === running ? known : null;
  session.owners.set(id, running);
  return running;
}

function says(session: ExpectedSession, { do: how, text, messageId }: Action<"say" | "think">) {
  const type = how === "say" ? "agent_message_chunk" : "agent_thought_chunk";
  const prompt = ownerOf(session, messageId === null ? null : `${type} ${messageId}`, false);
  const { open } = session;
  const goesOn = open?.type === type && open.messageId === messageId && open.prompt === prompt;
  if (!goesOn) endMessage(session);
  session.open ??= { type, messageId, prompt, text: "", checkpoint: null };
  session.open.text += text;
}

function tellsOfTool(session: ExpectedSession, status: string): void {
  const prompt = ownerOf(session, "tool call", status === "pending");
  endMessage(session);
  prompt?.tools.set("call-1", status);
  happen(session, status === "pending" ? "tool_call" : "tool_call_update", prompt, status);
}

function updates(session: ExpectedSession, kind: string): void {
  endMessage(session);
  if (kind === "usage_update") session.used = 10;
  if (kind === "session_info_update") session.title = "A title";
  const isOurs = kind.startsWith("_signalbox/") || kind === "permission_response";
  happen(session, isOurs ? `agent:${kind}` : kind, runningOf(session));
}

function asks(
  world: World,
  session: ExpectedSession,
  { kind, title }: { kind: "ask" | "question"; title: string },
): void {
  const running = runningOf(session);
  endMessage(session);
  const request = {
    title,
    kind: kind === "ask" ? ("permission" as const) : ("question" as const),
    session: session.name,
    prompt: running,
    isPending: false,
    reason: "request_not_found",
    heard: kind === "ask" ? "cancelled" : "cancel",
  };
  world.requests.push(request);
  if (running?.state === "cancelling") return;
  if (kind === "ask" && session.policy === "allow_all") {
    request.heard = "allow";
  } else if (pendingOf(world, session).length >= LIMITS.maxPendingPermissionsPerSession) {
    happen(session, `_signalbox/${request.kind}_unsatisfied`, running, "limit_exceeded");
  } else {
    request.isPending = true;
    happen(session, `${request.kind} asked`, running, title);
  }
}

function finishes(world: World, session: ExpectedSession, how: string): void {
  const prompt = runningOf(session);
  if (!prompt) return;
  if (prompt.state === "cancelling") {
    endCancelled(world, session, prompt);
  } else {
    endMessage(session);
    endRequests(world, session, { prompt, reason: "turn_ended", heard: "cancelled" });
    const error = { nonsense: "invalid_stop_reason", error: "prompt_failed" }[how];
    const end =
      error === undefined ? { stopReason: how } : { error, delivery: "uncertain" as const };
    endTurn(world, session, prompt, end);
  }
  startNext(world, session);
}

function exits(world: World, session: ExpectedSession, code: number | null): void {
  const prompt = runningOf(session);
  session.isLive = false;
  const how = code === null ? "SIGKILL" : code;
  const heard = "gone";
  const outside = { prompt: null, reason: "adapter_exited", heard };
  if (prompt?.state === "cancelling") {
    endCancelled(world, session, prompt);
    happen(session, "_signalbox/adapter_exited", null, how);
    endRequests(world, session, outside);
  } else {
    endMessage(session, true);
    happen(session, "_signalbox/adapter_exited", prompt, how);
    endRequests(world, session, outside);
    if (prompt) {
      endRequests(world, session, { prompt, reason: "adapter_exited", heard });
      endTurn(world, session, prompt, { error: "adapter_exited", delivery: "uncertain" });
    }
  }
  startNext(world, session);
}

/** Time goes on, by a step in which each timer fires once at most. */
export function passTime(world: World, ms: number): void {
  world.nowMs += ms;
  for (const session of world.sessions.values()) {
    unloadIdle(world, session);
    const { open } = session;
    if (open?.prompt === null) endMessage(session);
    else if (open) open.checkpoint = open.text;
  }
  for (const session of world.sessions.values()) {
    if (session.graceAtMs !== null && session.graceAtMs <= world.nowMs)
      stopStubborn(world, session);
  }
}

function unloadIdle(world: World, session: ExpectedSession): void {
  if (session.idleAtMs === null || session.idleAtMs > world.nowMs) return;
  if (!session.isLive) {
    session.idleAtMs = null;
  } else if (runningOf(session) || pendingOf(world, session).length > 0) {
    session.idleAtMs += IDLE_UNLOAD_MS;
  } else {
    session.isLive = false;
    session.idleAtMs = null;
  }
}

/** An agent that did not end its cancelled turn in time. */
function stopStubborn(world: World, session: ExpectedSession): void {
  const prompt = runningOf(session);
  session.graceAtMs = null;
  session.isLive = false;
  if (prompt) endCancelled(world, session, prompt);
  endRequests(world, session, { prompt: null, reason: "session_unloaded", heard: "gone" });
  startNext(world, session);
}

/** Its turns are cancelled and its requests ended; what is queued stays where the server stops. */
export function unloadSession(world: World, session: ExpectedSession, reason: string): void {
  const running = runningOf(session);
  if (running) {
    cancelTurn(world, session, running, reason);
    if (session.graceAtMs !== null) passTime(world, session.graceAtMs - world.nowMs);
  }
  endRequests(world, session, { reason, heard: "cancelled" });
  if (session.isLive) endMessage(session, true);
  session.isLive = false;
}

/** What a killed server leaves, and what its next start makes of it. */
export function recover(world: World): void {
  for (const session of world.sessions.values()) {
    const { open } = session;
    session.open = null;
    session.isLive = false;
    session.graceAtMs = null;
    session.idleAtMs = null;
    if (open?.checkpoint) happen(session, open.type, open.prompt, open.checkpoint, "partial");
    endRequests(world, session, { reason: "server_restarted", heard: null });
    const running = runningOf(session);
    if (running) {
      const end = { error: "prompt_delivery_uncertain", delivery: "uncertain" } as const;
      endTurn(world, session, running, end);
      session.idleAtMs = null;
    }
  }
}
