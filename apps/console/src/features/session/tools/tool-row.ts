import type { DurableEvent, JsonObject, JsonValue } from "@signalbox/protocol";
import { asNumber, asObject, asObjects, asText, isTold } from "../content/json-read.ts";
import {
  isFinalStatus,
  laterStatus,
  type TerminalView,
  type ToolRow,
} from "../transcript/transcript-rows.ts";

const MAX_HEAD_CHARS = 100_000;
const MAX_TAIL_CHARS = 300_000;

export function emptyToolRow(event: DurableEvent, key: string, toolCallId: string): ToolRow {
  return {
    kind: "tool",
    key,
    sequence: event.sequence,
    timestamp: event.timestamp,
    promptId: event.promptId,
    toolCallId,
    title: null,
    toolKind: null,
    status: "pending",
    interrupted: false,
    locations: [],
    content: [],
    rawInput: null,
    rawOutput: null,
    terminals: [],
    startedAt: event.timestamp,
    endedAt: null,
  };
}

/**
 * Lays one `tool_call` or `tool_call_update` over the row. Absence and null never overwrite a
 * value, and the status never goes back.
 */
export function withToolUpdate(row: ToolRow, event: DurableEvent): ToolRow {
  const status = laterStatus(row.status, asText(event.status) ?? row.status);
  const ended = isFinalStatus(status) && !isFinalStatus(row.status);
  return {
    ...row,
    title: asText(event.title) ?? row.title,
    toolKind: asText(event.kind) ?? row.toolKind,
    status,
    interrupted: row.interrupted && !isFinalStatus(status),
    endedAt: ended ? event.timestamp : row.endedAt,
    locations: Array.isArray(event.locations) ? locationsOf(event.locations) : row.locations,
    content: Array.isArray(event.content) ? asObjects(event.content) : row.content,
    rawInput: isTold(event.rawInput) ? event.rawInput : row.rawInput,
    rawOutput: isTold(event.rawOutput) ? event.rawOutput : row.rawOutput,
    terminals: withTerminalMeta(row.terminals, asObject(event._meta)),
  };
}

export function locationsOf(value: JsonValue | undefined): ToolRow["locations"] {
  return asObjects(value).flatMap((location) => {
    const path = asText(location.path);
    return path === null ? [] : [{ path, line: asNumber(location.line) }];
  });
}

/** Terminals that the agent only shows: it announces, fills and ends them through `_meta`. */
function withTerminalMeta(terminals: TerminalView[], meta: JsonObject | null): TerminalView[] {
  if (!meta) return terminals;
  let next = terminals;
  const change = (part: JsonObject | null, update: (view: TerminalView) => TerminalView) => {
    const terminalId = asText(part?.terminal_id);
    if (terminalId === null) return;
    const known = next.find((view) => view.terminalId === terminalId);
    const changed = update(known ?? emptyTerminal(terminalId));
    next = known ? next.map((view) => (view === known ? changed : view)) : [...next, changed];
  };
  const info = asObject(meta.terminal_info);
  change(info, (view) => ({ ...view, cwd: asText(info?.cwd) ?? view.cwd }));
  const output = asObject(meta.terminal_output);
  change(output, (view) => appendOutput(view, asText(output?.data) ?? ""));
  const exit = asObject(meta.terminal_exit);
  change(exit, (view) => ({
    ...view,
    exited: true,
    exitCode: asNumber(exit?.exit_code) ?? view.exitCode,
    signal: asText(exit?.signal) ?? view.signal,
  }));
  return next;
}

function emptyTerminal(terminalId: string): TerminalView {
  return {
    terminalId,
    cwd: null,
    output: "",
    omittedChars: 0,
    exited: false,
    exitCode: null,
    signal: null,
  };
}

/** Keeps the head and the tail of a terminal that never stops talking. */
function appendOutput(view: TerminalView, data: string): TerminalView {
  const output = view.output + data;
  const excess = output.length - MAX_HEAD_CHARS - MAX_TAIL_CHARS;
  if (excess <= 0) return { ...view, output };
  return {
    ...view,
    output: output.slice(0, MAX_HEAD_CHARS) + output.slice(MAX_HEAD_CHARS + excess),
    omittedChars: view.omittedChars + excess,
  };
}
