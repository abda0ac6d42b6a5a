/** What the model expects a client to be told, and what follows from its command. */
import { unloadSession } from "./expected-agent.ts";
import {
  cancelQueued,
  cancelTurn,
  DEFAULT_MODEL,
  type ExpectedPrompt,
  type ExpectedRequest,
  type ExpectedSession,
  endMessage,
  ensureLive,
  happen,
  LIMITS,
  queueOf,
  runningOf,
  startNext,
  startTurn,
  touch,
  type World,
} from "./expected-world.ts";
import type { SessionName } from "./program.ts";

const NOT_FOUND = "session_not_found";

export function open(world: World, name: SessionName, policy: "ask" | "allow_all"): string {
  const known = world.sessions.get(name);
  if (known) {
    if (known.policy !== policy) return "session_conflict";
    ensureLive(world, known);
    touch(world, known);
    return "ok";
  }
  world.incarnations += 1;
  const session: ExpectedSession = {
    name,
    incarnation: world.incarnations,
    policy,
    base: world.lastSequences.get(name) ?? 0,
    events: [],
    prompts: [],
    env: null,
    config: DEFAULT_MODEL,
    isLive: true,
    graceAtMs: null,
    idleAtMs: null,
    open: null,
    owners: new Map(),
    error: null,
    title: null,
    used: null,
  };
  world.launches.push(null);
  world.sessions.set(name, session);
  touch(world, session);
  return "ok";
}

export interface PromptCommand {
  readonly session: SessionName;
  readonly key: string | null;
  readonly text: string;
  readonly queue: boolean;
}

export function prompt(world: World, command: PromptCommand): string {
  const { session: name, key, text, queue } = command;
  const session = world.sessions.get(name);
  if (!session) return NOT_FOUND;
  // Nothing of an earlier time goes on behind a new prompt.
  if (!runningOf(session)) endMessage(session);
  const known = key === null ? undefined : session.prompts.find((one) => one.key === key);
  if (known) {
    if (known.text !== text) return "idempotency_conflict";
    touch(world, session);
    return `repeated ${known.label}`;
  }
  const label = `${text} in ${name} ${session.incarnation}`;
  const waiting = queueOf(session).length;
  const isFree = !runningOf(session) && waiting === 0;
  if (!isFree && !queue) return "session_busy";
  if (!isFree && waiting >= LIMITS.maxQueuedPromptsPerSession) return "limit_exceeded";
  const accepted: ExpectedPrompt = {
    label,
    session: name,
    key,
    text,
    state: "queued",
    outcome: null,
    tools: new Map(),
  };
  session.prompts.push(accepted);
  world.prompts.push(accepted);
  if (isFree) startTurn(world, session, accepted);
  else happen(session, "_signalbox/prompt_queued", accepted, waiting + 1);
  session.error = null;
  touch(world, session);
  return `accepted ${label}`;
}

/** @param target a prompt, null for whichever runs, or one that never was */
export function cancel(
  world: World,
  name: SessionName,
  target: ExpectedPrompt | "unknown" | null,
): string {
  const session = world.sessions.get(name);
  if (!session) return NOT_FOUND;
  if (target === "unknown") return "prompt_not_found";
  if (target !== null && !session.prompts.includes(target)) return "prompt_not_found";
  const running = runningOf(session);
  if (target?.state === "queued") {
    cancelQueued(session, target);
    return "cancelled";
  }
  if (!running || (target !== null && target !== running)) return "no_active_prompt";
  cancelTurn(world, session, running, "prompt_cancelled");
  startNext(world, session);
  return "cancelled";
}

export function answer(
  world: World,
  request: ExpectedRequest,
  { option, digest }: { option: string; digest: string },
): string {
  if (!request.isPending) return `not_pending ${request.reason}`;
  if (digest === "wrong") return "permission_changed";
  if (option === "bogus") return "invalid_permission_option";
  return resolve(world, request, option, option);
}

export function answerQuestion(world: World, request: ExpectedRequest, how: string): string {
  if (!request.isPending) return `not_pending ${request.reason}`;
  if (how === "misfit") return "invalid_answer";
  return resolve(world, request, how, how);
}

function resolve(world: World, request: ExpectedRequest, choice: string, heard: string): string {
  const session = world.sessions.get(request.session);
  if (!session) throw new Error("a request outlived its session");
  request.isPending = false;
  request.reason = "already_resolved";
  request.heard = heard;
  happen(session, `${request.kind} answered`, request.prompt, request.title, choice);
  return "accepted";
}

export function unload(world: World, name: SessionName): string {
  const session = world.sessions.get(name);
  if (!session) return NOT_FOUND;
  for (const queued of queueOf(session)) cancelQueued(session, queued);
  unloadSession(world, session, "session_unloaded");
  return "ok";
}

export function remove(world: World, name: SessionName): string {
  const session = world.sessions.get(name);
  if (!session) return "ok";
  for (const queued of queueOf(session)) cancelQueued(session, queued);
  unloadSession(world, session, "session_deleted");
  world.lastSequences.set(name, session.base + session.events.length);
  world.sessions.delete(name);
  return "ok";
}

export function configure(world: World, name: SessionName, value: string): string {
  const session = world.sessions.get(name);
  if (!session) return NOT_FOUND;
  ensureLive(world, session);
  touch(world, session);
  world.settings.push(value);
  if (value === "bogus") return "config_rejected";
  session.config = value;
  return `model is ${value}`;
}

export function rotateEnv(world: World, name: SessionName, value: string): string {
  const session = world.sessions.get(name);
  if (!session) return NOT_FOUND;
  session.env = value;
  return "ok";
}
