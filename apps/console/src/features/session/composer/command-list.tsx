"use client";

import type { JsonObject } from "@signalbox/protocol";
import { useEffect, useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { asObject, asText } from "../content/json-read.ts";

/** The commands whose name begins with what is written after the slash; none once there is more. */
export function matchingCommands(commands: readonly JsonObject[], text: string): JsonObject[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return commands.filter((command) => asText(command.name)?.toLowerCase().startsWith(typed));
}

export function CommandList({
  id,
  commands,
  active,
  onChoose,
}: {
  id: string;
  commands: readonly JsonObject[];
  active: number;
  onChoose: (command: JsonObject) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={box}
      id={id}
      role="listbox"
      aria-label="Commands"
      className="absolute bottom-full z-20 mb-1.5 max-h-72 w-full overflow-y-auto rounded-lg border bg-raised p-1 shadow-pop"
    >
      {commands.map((command, index) => (
        // The text field keeps the focus and its keys; the pointer is the only way in here.
        <div
          key={asText(command.name)}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(command);
          }}
          className={cn(
            "flex cursor-default items-baseline gap-2 rounded-sm px-2 py-1 pointer-coarse:min-h-10",
            index === active && "bg-hover",
          )}
        >
          <span className="shrink-0 font-medium font-mono text-xs">
            /{asText(command.name)}
            {hintOf(command) === null ? null : (
              <span className="font-normal text-muted"> {hintOf(command)}</span>
            )}
          </span>
          <span className="min-w-0 truncate text-muted text-xs">{asText(command.description)}</span>
        </div>
      ))}
    </div>
  );
}

export function hintOf(command: JsonObject): string | null {
  return asText(asObject(command.input)?.hint);
}
