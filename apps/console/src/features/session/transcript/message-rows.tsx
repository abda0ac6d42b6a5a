"use client";

import { ChevronRight, Clock, LoaderCircle } from "lucide-react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { cn } from "../../../lib/cn.ts";
import { ContentBlockView } from "../content/content-block.tsx";
import { asText } from "../content/json-read.ts";
import { useOpen, useTranscriptContext } from "./transcript-context.tsx";
import type { SpeechRow, UserRow } from "./transcript-rows.ts";

const DELIVERY: Readonly<Record<UserRow["delivery"], string | null>> = {
  stored: null,
  sending: "Sending",
  accepted: "Accepted",
  queued: "Queued",
  failed: "Not sent",
};

function textOf(row: UserRow | SpeechRow): string {
  return row.blocks.map((block) => asText(block.text) ?? "").join("");
}

export function UserMessage({ row }: { row: UserRow }) {
  const delivery = DELIVERY[row.delivery];
  return (
    <div
      className={cn(
        "group/user relative rounded-lg border bg-surface px-3.5 py-2.5",
        row.delivery !== "stored" && "border-dashed",
      )}
    >
      <span className="sr-only">You said:</span>
      <div className="space-y-2 pr-7">
        {row.blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block has nothing but its place
          <ContentBlockView key={index} block={block} text="plain" />
        ))}
      </div>
      {delivery === null ? null : (
        <p className="mt-1 flex items-center gap-1.5 text-muted text-xs">
          {row.delivery === "queued" ? (
            <Clock aria-hidden className="size-3" />
          ) : (
            <LoaderCircle aria-hidden className="size-3 animate-spin" />
          )}
          {delivery}
          {row.delivery === "queued" && row.promptId !== null ? (
            <TakeBack promptId={row.promptId} />
          ) : null}
        </p>
      )}
      {row.imported ? (
        <p className="mt-1 text-muted text-xs">From the imported transcript</p>
      ) : null}
      <RowCopy
        label="Copy message"
        text={() => textOf(row)}
        className="group-hover/user:opacity-100"
      />
    </div>
  );
}

/** Takes a queued message back. */
export function TakeBack({ promptId }: { promptId: string }) {
  const { cancelQueued } = useTranscriptContext();
  return (
    <Button
      variant="link"
      size="sm"
      className="ml-1 text-muted underline"
      onClick={() => cancelQueued(promptId)}
    >
      Take back
    </Button>
  );
}

function RowCopy({
  label,
  text,
  className,
}: {
  label: string;
  text: () => string;
  className: string;
}) {
  return (
    <CopyButton
      label={label}
      text={text}
      className={cn(
        "absolute top-1.5 right-1.5 opacity-0 transition-opacity focus-visible:opacity-100 pointer-coarse:size-7 pointer-coarse:opacity-60",
        className,
      )}
    />
  );
}

export function AgentMessage({ row }: { row: SpeechRow }) {
  return (
    <div className="group/agent relative px-0.5">
      <span className="sr-only">The agent said:</span>
      <div className="space-y-3 pr-8">
        {row.blocks.map((block, index) => (
          <ContentBlockView
            // biome-ignore lint/suspicious/noArrayIndexKey: a block has nothing but its place
            key={index}
            block={block}
            text="markdown"
            isStreaming={row.streaming}
          />
        ))}
      </div>
      {row.partial ? <p className="mt-1 text-muted text-xs">Broken off here</p> : null}
      {row.streaming ? null : (
        <RowCopy
          label="Copy as Markdown"
          text={() => textOf(row)}
          className="top-0! group-hover/agent:opacity-100"
        />
      )}
    </div>
  );
}

export function Thought({ row }: { row: SpeechRow }) {
  const [isOpen, toggle] = useOpen(row.key, false);
  const text = textOf(row);
  const firstLine = text.trimStart().split("\n", 1)[0] ?? "";
  return (
    <div className="px-0.5 text-muted">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex max-w-full items-center gap-1.5 rounded-sm py-0.5 text-left text-sm hover:text-text"
      >
        <ChevronRight
          aria-hidden
          className={cn("size-3.5 shrink-0 transition-transform", isOpen && "rotate-90")}
        />
        <span className="shrink-0 font-medium">{row.streaming ? "Thinking" : "Thought"}</span>
        {isOpen ? null : <span className="min-w-0 truncate">{firstLine}</span>}
      </button>
      {isOpen ? (
        <div className="mt-1 ml-1.5 border-l pl-3.5 [&_*]:text-sm">
          {row.blocks.map((block, index) => (
            <ContentBlockView
              // biome-ignore lint/suspicious/noArrayIndexKey: a block has nothing but its place
              key={index}
              block={block}
              text="markdown"
              isStreaming={row.streaming}
            />
          ))}
        </div>
      ) : null}
      {row.partial ? <p className="mt-1 ml-5 text-xs">Broken off here</p> : null}
    </div>
  );
}
