/**
 * An ACP agent inside the test's own process: real bytes, no child.
 *
 * What it remembers (its sessions and their transcripts) outlives a single launch, as an
 * agent's own storage does, so that restoring can be tested.
 */
import type { JsonObject, JsonValue } from "@signalbox/protocol";
import type { AgentExit, LaunchAgent, LaunchSpec } from "../wire/agent-transport.ts";
import type { ScriptedFailure } from "./scripted-failure.ts";
import { ScriptedProcess } from "./scripted-process.ts";

export interface ScriptedPermission {
  readonly title: string;
  /** Default: allow_once `allow` and reject_once `reject`. */
  readonly options?: JsonValue[];
  readonly toolCallId?: string;
}

/** How the client answered one of the agent's requests. */
export type ScriptedAnswer = { result: JsonValue } | { error: JsonObject };

/** What an agent can do on behalf of one session, within a turn or outside. */
export interface ScriptedVoice {
  readonly sessionId: string;
  say(text: string, messageId?: string): Promise<void>;
  think(text: string, messageId?: string): Promise<void>;
  /** An update of any kind, known to anybody or not. */
  update(update: JsonObject): Promise<void>;
  /** The exact JSON text of an update, for numbers and spacing that serialising would change. */
  updateText(text: string): Promise<void>;
  /** A whole line, whatever it is. */
  line(text: string): Promise<void>;
  /**
   * Resolves with the chosen option, or undefined when the request was cancelled.
   *
   * @throws ScriptedFailure when the client refused the request
   */
  askPermission(permission: ScriptedPermission): Promise<string | undefined>;
  requestRaw(method: string, params: JsonValue): Promise<ScriptedAnswer>;
  notifyRaw(method: string, params: JsonValue): Promise<void>;
  stderr(text: string): void;
  /** Ends as a process does that dies: what was said is still read, nothing follows. */
  crash(exit?: Partial<AgentExit>): void;
}

export interface ScriptedTurn extends ScriptedVoice {
  /** The text blocks of the prompt, joined. */
  readonly text: string;
  readonly content: JsonValue[];
  /** Aborts on `session/cancel`, and when the agent is stopped. */
  readonly cancelled: AbortSignal;
  /** Resolves when {@link cancelled} aborts; for turns that only end by cancel. */
  untilCancelled(): Promise<void>;
}

/** Decides a turn. A string is the stop reason, an object the whole result, nothing `end_turn`. */
export type Script = (turn: ScriptedTurn) => Promise<string | JsonObject | undefined>;

export type ScriptedHandler = (
  params: JsonObject,
  voice: ScriptedVoice,
) => JsonValue | Promise<JsonValue>;

export interface StoredSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string;
  readonly updatedAt?: string;
  /** Updates that `session/load` replays; grows with every turn. */
  readonly transcript?: JsonObject[];
}

export interface ScriptedOptions {
  readonly capabilities?: JsonObject;
  /** Fields over those of the usual answer to `initialize`. */
  readonly initialize?: JsonObject;
  /** Fields over those of the usual answers to `session/new`, `session/load` and `session/resume`. */
  readonly session?: JsonObject;
  readonly configOptions?: JsonObject[];
  readonly modes?: JsonObject;
  /** Sessions that the agent has from before, for adoption. */
  readonly stored?: readonly StoredSession[];
  /** Runs before the answer to `session/new`, for updates that come early. */
  readonly onNew?: (voice: ScriptedVoice) => void | Promise<void>;
  /** Instead of replaying the transcript, before the answer to `session/load`. */
  readonly onLoad?: (replay: ScriptedVoice) => void | Promise<void>;
  readonly failNew?: ScriptedFailure;
  readonly failLoad?: ScriptedFailure;
  readonly failResume?: ScriptedFailure;
  /** Answers instead of the usual ones, by method; the place for hanging and for nonsense. */
  readonly handle?: Readonly<Record<string, ScriptedHandler>>;
  /** Rejects the launch, as a missing command does. */
  readonly failLaunch?: Error;
  /** Lives on after the end of stdin, until the grace of `stop` is over. */
  readonly ignoresEndOfInput?: boolean;
}

export interface ScriptedCall {
  readonly kind: "request" | "notification";
  readonly method: string;
  readonly params: JsonObject;
  /** Which launch was called, from 0. */
  readonly launch: number;
}

/** A {@link LaunchAgent} that also tells what happened. */
export interface ScriptedAgent extends LaunchAgent {
  readonly calls: readonly ScriptedCall[];
  /** The calls of one method. */
  callsOf(method: string): ScriptedCall[];
  /** Resolves with the n-th call of a method, from 1, when it has come. */
  called(method: string, nth?: number): Promise<ScriptedCall>;
  readonly launches: readonly LaunchSpec[];
  /** How many launched agents have not exited; 0 when nothing leaked. */
  readonly running: number;
  /** Speaks for a session outside any turn, through the latest launch. */
  voice(sessionId: string): ScriptedVoice;
  /** The agent's own session ids, in the order of their creation. */
  readonly sessionIds: readonly string[];
}

/** What all launches of one agent share. */
export interface ScriptedMemory {
  readonly script: Script;
  readonly options: ScriptedOptions;
  readonly sessions: Map<
    string,
    { cwd: string; transcript: JsonObject[]; title: string | null; updatedAt: string | null }
  >;
  readonly configOptions: JsonObject[];
  modes: JsonObject | undefined;
  record(call: ScriptedCall): void;
}

/** @param script decides each turn; turns of different sessions run beside each other */
export function scriptedAgent(script: Script, options: ScriptedOptions = {}): ScriptedAgent {
  const calls: ScriptedCall[] = [];
  const launches: LaunchSpec[] = [];
  const waiting = new Set<() => void>();
  const running = new Set<ScriptedProcess>();
  let latest: ScriptedProcess | undefined;
  const memory: ScriptedMemory = {
    script,
    options,
    sessions: new Map(
      (options.stored ?? []).map((session) => [
        session.sessionId,
        {
          cwd: session.cwd,
          transcript: [...(session.transcript ?? [])],
          title: session.title ?? null,
          updatedAt: session.updatedAt ?? null,
        },
      ]),
    ),
    configOptions: structuredClone(options.configOptions ?? []),
    modes: structuredClone(options.modes),
    record: (call) => {
      calls.push(call);
      for (const check of [...waiting]) check();
    },
  };
  const launch: LaunchAgent = async (spec, signal) => {
    signal.throwIfAborted();
    launches.push(spec);
    if (options.failLaunch !== undefined) throw options.failLaunch;
    const started = new ScriptedProcess(memory, spec, launches.length - 1);
    latest = started;
    running.add(started);
    void started.exited.then(() => running.delete(started));
    return started;
  };
  const callsOf = (method: string): ScriptedCall[] =>
    calls.filter((call) => call.method === method);
  const called = (method: string, nth = 1): Promise<ScriptedCall> =>
    new Promise((resolve) => {
      const check = (): void => {
        const call = callsOf(method)[nth - 1];
        if (call === undefined) return;
        waiting.delete(check);
        resolve(call);
      };
      waiting.add(check);
      check();
    });
  const voice = (sessionId: string): ScriptedVoice => {
    if (latest === undefined) throw new Error("no agent was launched yet");
    return latest.voice(sessionId);
  };
  const sessionIds: string[] = [];
  const members = { calls, callsOf, called, launches, voice, running: 0, sessionIds };
  const agent: ScriptedAgent = Object.assign(launch, members);
  // A function takes its members by value; these two change.
  return Object.defineProperties(agent, {
    running: { get: () => running.size },
    sessionIds: { get: () => [...memory.sessions.keys()] },
  });
}
