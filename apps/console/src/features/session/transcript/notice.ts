/** Changes of the session that are worth one quiet line, or none. */
import type { DurableEvent, JsonObject, JsonValue } from "@signalbox/protocol";
import { asArray, asObject, asObjects, asText } from "../content/json-read.ts";
import type { SessionFacts } from "../session-facts.ts";
import { type NoticeRow, OWN } from "./transcript-rows.ts";

type Notice = Pick<NoticeRow, "tone" | "text" | "detail">;

interface Told {
  facts: SessionFacts;
  notice: Notice | null;
}

/** Returns null for a kind that this page does not know. */
export function noticeOf(event: DurableEvent, facts: SessionFacts): Told | null {
  switch (event.type) {
    case "usage_update":
      return { facts: { ...facts, usage: event }, notice: null };
    case "available_commands_update":
      return { facts: { ...facts, commands: asObjects(event.availableCommands) }, notice: null };
    case "session_info_update":
      return titleChange(event, facts);
    case "current_mode_update":
      return modeChange(event, facts);
    case "config_option_update":
      return configChange(event, facts);
    case OWN.restored:
      return { facts, notice: restored(event) };
    case OWN.configRefused:
      return { facts, notice: configRefused(event) };
    case OWN.permissionUnsatisfied:
      return { facts, notice: unsatisfied(event) };
    case OWN.questionUnsatisfied:
      return { facts, notice: notAsked(event) };
    case OWN.questionCompleted:
      return { facts, notice: quiet("The agent has what the link was for") };
    default:
      return null;
  }
}

function quiet(text: string, detail: string | null = null): Notice {
  return { tone: "quiet", text, detail };
}

function titleChange(event: DurableEvent, facts: SessionFacts): Told {
  const title = asText(event.title);
  if (title === null || title === "" || title === facts.title) return { facts, notice: null };
  return { facts: { ...facts, title }, notice: quiet(`Title is now “${title}”`) };
}

function modeChange(event: DurableEvent, facts: SessionFacts): Told {
  const modeId = asText(event.currentModeId);
  if (modeId === null || modeId === facts.modeId) return { facts, notice: null };
  return { facts: { ...facts, modeId }, notice: quiet(`Mode is now ${modeId}`) };
}

function configChange(event: DurableEvent, facts: SessionFacts): Told {
  const options = asObjects(event.configOptions);
  const before = facts.configOptions;
  const next = { ...facts, configOptions: options };
  if (before === null) return { facts: next, notice: null };
  const changes = options.flatMap((option) => {
    const old = before.find((candidate) => candidate.id === option.id);
    if (old && old.currentValue === option.currentValue) return [];
    return [`${asText(option.name) ?? asText(option.id)}: ${valueName(option)}`];
  });
  return { facts: next, notice: changes.length > 0 ? quiet(changes.join(" · ")) : null };
}

/** The name an agent gives to the current value of one of its options. */
export function valueName(option: JsonObject): string {
  const value = option.currentValue;
  if (typeof value === "boolean") return value ? "on" : "off";
  const flat = asObjects(option.options).flatMap((item) =>
    asArray(item.options) ? asObjects(item.options) : [item],
  );
  const chosen = flat.find((item) => item.value === value);
  return asText(chosen?.name) ?? asText(value) ?? "";
}

const RESTORED: Readonly<Record<string, string>> = {
  resumed: "The agent resumed the session",
  loaded: "The agent loaded the session again",
  continued: "A fresh agent session continues from the history",
};

function restored(event: DurableEvent): Notice {
  const mode = asText(event.mode) ?? "";
  return quiet(RESTORED[mode] ?? `Restored (${mode})`, asText(event.reason));
}

function configRefused(event: DurableEvent): Notice {
  const name = asText(event.configId) ?? asText(event.modeId) ?? "a setting";
  const value = event.value === undefined ? "" : ` = ${plain(event.value)}`;
  return {
    tone: "warning",
    text: `The agent refused ${name}${value}`,
    detail: errorText(event.error) ?? asText(event.reason),
  };
}

function unsatisfied(event: DurableEvent): Notice {
  const policy = asText(event.policy);
  return {
    tone: "warning",
    text: policy
      ? `No offered option fits the policy ${policy}; the agent was told “cancelled”`
      : "A permission request was answered “cancelled”",
    detail: errorText(event.error),
  };
}

function notAsked(event: DurableEvent): Notice {
  const message = asText(event.message);
  return {
    tone: "warning",
    text: `A question was answered “cancel”${message === null ? "" : `: ${message}`}`,
    detail: errorText(event.error),
  };
}

function errorText(value: JsonValue | undefined): string | null {
  return asText(asObject(value)?.message) ?? asText(value);
}

function plain(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
