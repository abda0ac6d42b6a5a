"use client";

import type { JsonObject, JsonValue } from "@signalbox/protocol";
import { lazy, Suspense } from "react";
import { ContentBlockView } from "../content/content-block.tsx";
import { asArray, asObject, asObjects, asText } from "../content/json-read.ts";
import { RawJson } from "../content/raw-json.tsx";
import { VisibleCode, VisibleText } from "../content/visible-code.tsx";
import type { TerminalView } from "../transcript/transcript-rows.ts";
import { shortPath } from "./path.ts";
import { TerminalOutput } from "./terminal-output.tsx";
import { locationsOf } from "./tool-row.ts";

const LazyDiff = lazy(() =>
  import("./diff-view.tsx").then((module) => ({ default: module.DiffView })),
);

/**
 * What a tool call does or did: its command, files, output and other content.
 *
 * @param isForDecision someone decides by it: nothing is folded, hidden characters are shown
 */
export function ToolBody({
  tool,
  cwd,
  terminals = [],
  isLive = false,
  isForDecision = false,
}: {
  tool: JsonObject;
  cwd: string;
  terminals?: readonly TerminalView[];
  isLive?: boolean;
  isForDecision?: boolean;
}) {
  const content = asObjects(tool.content);
  const command = commandOf(tool.rawInput);
  const shownIds = content.flatMap((item) => asText(item.terminalId) ?? []);
  const loose = terminals.filter((terminal) => !shownIds.includes(terminal.terminalId));
  const isBare = content.length === 0 && loose.length === 0;
  return (
    <div className="space-y-2">
      {command === null ? null : <VisibleCode text={command} />}
      {isForDecision ? <Locations tool={tool} cwd={cwd} /> : null}
      {content.map((item, index) => (
        <ToolContent
          // biome-ignore lint/suspicious/noArrayIndexKey: content has nothing but its place
          key={index}
          item={item}
          cwd={cwd}
          terminals={terminals}
          isLive={isLive}
          isForDecision={isForDecision}
        />
      ))}
      {loose.map((terminal) => (
        <TerminalBox key={terminal.terminalId} terminal={terminal} isLive={isLive} />
      ))}
      {isBare && command === null ? <Fields value={tool.rawInput} /> : null}
      {isBare && !isForDecision ? <Output value={tool.rawOutput} /> : null}
      {isForDecision ? null : <RawCall tool={tool} />}
    </div>
  );
}

function ToolContent({
  item,
  cwd,
  terminals,
  isLive,
  isForDecision,
}: {
  item: JsonObject;
  cwd: string;
  terminals: readonly TerminalView[];
  isLive: boolean;
  isForDecision: boolean;
}) {
  const newText = asText(item.newText);
  const block = asObject(item.content);
  if (item.type === "diff" && newText !== null) {
    const diff = (
      <LazyDiff
        path={asText(item.path) ?? ""}
        oldText={asText(item.oldText)}
        newText={newText}
        cwd={cwd}
        isWhole={isForDecision}
      />
    );
    // Who decides by it must not have anything to press before it is there.
    if (isForDecision) return diff;
    return (
      <Suspense fallback={<p className="text-muted text-xs">Loading the change</p>}>
        {diff}
      </Suspense>
    );
  }
  if (item.type === "content" && block !== null) {
    return <ContentBlockView block={block} text="markdown" />;
  }
  if (item.type === "terminal") {
    const terminal = terminals.find((view) => view.terminalId === item.terminalId);
    return terminal ? <TerminalBox terminal={terminal} isLive={isLive} /> : null;
  }
  return <RawJson label={`Content of type ${String(item.type)}`} value={item} />;
}

function TerminalBox({ terminal, isLive }: { terminal: TerminalView; isLive: boolean }) {
  const { output, omittedChars, exited, exitCode, signal } = terminal;
  const end = signal !== null ? `ended by ${signal}` : `exit code ${exitCode ?? "unknown"}`;
  return (
    <div>
      {output === "" ? null : <TerminalOutput output={output} isLive={isLive && !exited} />}
      <p className="mt-1 text-muted text-xs">
        {exited ? end : isLive ? "still running" : "no end was reported"}
        {omittedChars > 0 ? ` · ${omittedChars.toLocaleString("en")} characters left out` : ""}
      </p>
    </div>
  );
}

function Locations({ tool, cwd }: { tool: JsonObject; cwd: string }) {
  const diffPaths = asObjects(tool.content).map((item) => item.path);
  const locations = locationsOf(tool.locations).filter(({ path }) => !diffPaths.includes(path));
  if (locations.length === 0) return null;
  return (
    <ul className="space-y-0.5 font-mono text-muted text-xs">
      {locations.map(({ path, line }) => (
        <li key={`${path}:${line}`} className="[overflow-wrap:anywhere]">
          <VisibleText text={shortPath(path, cwd)} />
          {line === null ? "" : `:${line}`}
        </li>
      ))}
    </ul>
  );
}

/** The command of a call that runs one, however its agent writes it down. */
export function commandOf(rawInput: JsonValue | undefined): string | null {
  const input = asObject(rawInput);
  if (!input) return null;
  const command = input.command ?? input.cmd;
  const words = asArray(command);
  const head = words ? words.map(String).join(" ") : asText(command);
  if (head === null) return null;
  const args = asArray(input.args);
  return args ? [head, ...args.map(String)].join(" ") : head;
}

const MAX_FIELD_CHARS = 4_000;

function Fields({ value }: { value: JsonValue | undefined }) {
  const input = asObject(value);
  if (!input || Object.keys(input).length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-md bg-inset px-3 py-2 font-mono text-xs">
      {Object.entries(input).map(([name, field]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="max-h-40 overflow-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
            {plain(field).slice(0, MAX_FIELD_CHARS)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Output({ value }: { value: JsonValue | undefined }) {
  if (value === undefined || value === null) return null;
  const output = asText(value) ?? asText(asObject(value)?.output);
  if (output !== null && output !== "") return <TerminalOutput output={output} isLive={false} />;
  return <Fields value={value} />;
}

function RawCall({ tool }: { tool: JsonObject }) {
  const parts = [
    { label: "Raw input", value: tool.rawInput },
    { label: "Raw output", value: tool.rawOutput },
  ];
  return parts.map(({ label, value }) =>
    value === undefined || value === null ? null : (
      <RawJson key={label} label={label} value={value} />
    ),
  );
}

function plain(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
