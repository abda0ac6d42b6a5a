/** What a client can see, in the words that the model uses. */
import type { TestRuntime } from "@signalbox/acp-runtime/testing";
import {
  AppError,
  type DurableEvent,
  isJsonObject,
  type PromptResult,
  type SessionInfo,
} from "@signalbox/protocol";
import {
  type ExpectedSession,
  pendingOf,
  queueOf,
  runningOf,
  type World,
} from "./expected-world.ts";
import type { SessionName } from "./program.ts";

/** How promises of the server are called in the model, by the ids that it gave them. */
export class Names {
  readonly prompts = new Map<string, string>();
  readonly requests = new Map<string, string>();

  prompt(promptId: string | null): string {
    return promptId === null ? "no turn" : (this.prompts.get(promptId) ?? "a stranger");
  }

  idOf(label: string): string | undefined {
    return [...this.prompts].find(([, known]) => known === label)?.[0];
  }

  requestIdOf(title: string): string | undefined {
    return [...this.requests].find(([, known]) => known === title)?.[0];
  }
}

export function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : String(error);
}

export function outcomeOf({ stopReason, message }: PromptResult): string {
  const texts = (message?.content ?? []).map((block) => String(block.text));
  return `${stopReason}: ${texts.join("|")}`;
}

export function eventInWords(event: DurableEvent, names: Names): string {
  const [type, ...details] = described(event, names);
  return [type, names.prompt(event.promptId), ...details].join(" | ");
}

function described(event: DurableEvent, names: Names): unknown[] {
  const { type } = event;
  const content = isJsonObject(event.content) ? event.content : {};
  switch (type) {
    case "user_message_chunk":
      return [type, content.text];
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const isPartial = isJsonObject(event._meta) && event._meta["signalbox/partial"] === true;
      return [type, content.text, isPartial ? "partial" : "whole"];
    }
    case "tool_call":
    case "tool_call_update":
      return [type, event.status];
    case "permission_request": {
      const title = isJsonObject(event.toolCall) ? event.toolCall.title : null;
      names.requests.set(String(event.requestId), String(title));
      return ["permission asked", title];
    }
    case "_signalbox/question_request":
      names.requests.set(String(event.requestId), String(event.message));
      return ["question asked", event.message];
    case "permission_response":
    case "_signalbox/question_response":
      return response(event, names);
    default:
      return describedOwn(event);
  }
}

function describedOwn(event: DurableEvent): unknown[] {
  const { type } = event;
  const error = isJsonObject(event.error) ? event.error : {};
  const details = isJsonObject(error.details) ? error.details : {};
  switch (type) {
    case "_signalbox/turn_ended":
      return [
        "turn ended",
        event.stopReason ?? `${String(error.code)} ${String(details.delivery)}`,
        event.openToolCalls,
      ];
    case "_signalbox/restored":
      return [type, event.mode];
    case "_signalbox/adapter_exited":
      return [type, event.signal ?? event.exitCode];
    case "_signalbox/prompt_queued":
      return [type, event.position];
    case "_signalbox/permission_unsatisfied":
    case "_signalbox/question_unsatisfied":
      return [type, error.code];
    default:
      return [type];
  }
}

function response(event: DurableEvent, names: Names): unknown[] {
  const kind = event.type === "permission_response" ? "permission" : "question";
  const title = names.requests.get(String(event.requestId));
  if (event.status !== "accepted") return [`${kind} ended`, title, event.reason];
  const chosen = isJsonObject(event.outcome) ? event.outcome.optionId : event.action;
  return [`${kind} answered`, title, chosen];
}

export async function eventsInWords(
  ctx: TestRuntime,
  session: SessionName,
  names: Names,
): Promise<string[]> {
  return (await ctx.events(session)).map((event) => eventInWords(event, names));
}

/** How a session stands. */
export function infoInWords(info: SessionInfo, names: Names): object {
  const { state, usage } = info;
  const promptId = "promptId" in state ? state.promptId : null;
  return {
    status: state.status,
    prompt: names.prompt(promptId),
    error: state.status === "failed" ? state.error.code : null,
    requests:
      state.status === "waiting"
        ? [...state.requests, ...state.questions].map(({ requestId }) =>
            names.requests.get(requestId),
          )
        : [],
    adapter: info.adapter,
    queue: info.queuedPrompts.map((queued) => names.prompt(queued.promptId)),
    latestSequence: info.latestSequence,
    title: info.title,
    used: isJsonObject(usage) ? usage.used : null,
    policy: info.permissionPolicy,
  };
}

export function expectedInfo(world: World, session: ExpectedSession): object {
  const running = runningOf(session);
  const pending = pendingOf(world, session);
  const isFailed = !running && pending.length === 0 && session.error !== null;
  const busy = running ? "running" : isFailed ? "failed" : "idle";
  return {
    status: pending.length > 0 ? "waiting" : busy,
    prompt: running?.label ?? "no turn",
    error: isFailed ? session.error : null,
    requests: ["permission", "question"].flatMap((kind) =>
      pending.filter((request) => request.kind === kind).map(({ title }) => title),
    ),
    adapter: session.isLive ? "live" : "unloaded",
    queue: queueOf(session).map(({ label }) => label),
    latestSequence: session.base + session.events.length,
    title: session.title,
    used: session.used,
    policy: session.policy,
  };
}
