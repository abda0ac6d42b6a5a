"use client";

import { ArrowDown, LoaderCircle } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Age } from "../../../components/time.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { outcomeWords } from "../../permission/permission-words.ts";
import type { FeedSnapshot, SessionFeed } from "../session-feed.ts";
import { RowView } from "./row-view.tsx";
import { isOpenRequest, type PermissionRow, type Row, type ToolRow } from "./transcript-rows.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

const TOP_PX = 44;
const BARE_TOP_PX = 4;
const LOAD_OLDER_PX = 600;
const LOAD_NEWER_PX = 600;
const BUFFER_PX = 600;

/** The rows of a session, only those near the window mounted. Needs a key of their place. */
export function TranscriptView({ feed, state }: { feed: SessionFeed; state: FeedSnapshot }) {
  const { hasNewer, place } = state;
  const { rows, facts, firstSequence } = state.transcript;
  // What was open at the end of a page in the past is told on a later one.
  const openPromptId = hasNewer ? null : facts.openPromptId;
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { isAtEnd, onScroll, settle, toEnd } = useStickToEnd(scroller, !hasNewer, place === null);
  const isShifted = useShift(firstSequence);
  const newCount = useNewCount(rows, isAtEnd);
  // Once there was something to say above, its room stays: taking it away would move what is read.
  const hadTop = useRef(false);
  hadTop.current ||= hasTop(state);
  const topPx = hadTop.current ? TOP_PX : BARE_TOP_PX;
  const related = useMemo(() => relatedRows(rows), [rows]);

  const wantedKey = useWantedRow(list, rows, place);

  useEffect(() => {
    if (isAtEnd) feed.trim();
  }, [feed, isAtEnd]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label="Events of the session"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
        tabIndex={0}
        onScroll={() => {
          onScroll();
          const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
          if (scrollTop < LOAD_OLDER_PX) feed.loadOlder();
          if (scrollHeight - scrollTop - clientHeight < LOAD_NEWER_PX) feed.loadNewer();
        }}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain bg-background px-4 will-change-scroll -outline-offset-2 [overflow-anchor:none] md:px-6"
      >
        <div className="mx-auto max-w-[52rem]">
          <TopOfTranscript feed={feed} state={state} heightPx={topPx} />
          {/* A feed may hold articles only, so what is said above and below stands outside. */}
          <div role="feed" aria-label="Transcript" aria-busy={state.isLoadingOlder}>
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              data={rows}
              startMargin={topPx}
              bufferSize={BUFFER_PX}
              shift={isShifted}
              onResize={settle}
            >
              {(row, index) => (
                <RowView
                  key={row.key}
                  row={row}
                  position={index + 1}
                  isWanted={row.key === wantedKey}
                  isInOpenTurn={row.promptId !== null && row.promptId === openPromptId}
                  isWaiting={row.kind === "tool" && related.waiting.has(row.key)}
                  isDeclined={row.kind === "tool" && related.declined.has(row.key)}
                  tool={row.kind === "permission" ? (related.tools.get(row.key) ?? null) : null}
                />
              )}
            </Virtualizer>
          </div>
          <Working rows={rows} openPromptId={openPromptId} />
        </div>
      </section>
      {isAtEnd || hasNewer ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            onClick={hasNewer ? feed.toLatest : toEnd}
            className="pointer-events-auto rounded-full shadow-pop"
          >
            <ArrowDown aria-hidden className="size-3.5!" />
            {newCount > 0 ? `${newCount} new` : "Latest"}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The turn runs and nothing that is shown moves: that must not look like an end. */
function Working({ rows, openPromptId }: { rows: readonly Row[]; openPromptId: string | null }) {
  const last = rows.at(-1);
  const isWaiting = rows.some(isOpenRequest);
  const isMoving = (last?.kind === "message" && last.streaming) || last?.kind === "thought";
  const begun = rows.find((row) => row.kind === "user" && row.promptId === openPromptId);
  const isShown = openPromptId !== null && !isWaiting && !isMoving;
  return (
    <div className="flex h-9 items-start gap-1.5 px-0.5 pt-1 text-muted text-xs">
      {isShown ? (
        <>
          <LoaderCircle aria-hidden className="mt-0.5 size-3 animate-spin" />
          Working
          {begun?.timestamp ? <Age iso={begun.timestamp} className="tabular-nums" /> : null}
        </>
      ) : null}
    </div>
  );
}

/**
 * Brings the row of the event that the reader came for into view, once.
 *
 * @returns its key; null when nothing was asked for
 */
function useWantedRow(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly Row[],
  wanted: number | null,
): string | null {
  const [key, setKey] = useState<string | null>(null);
  const isFound = useRef(false);
  useLayoutEffect(() => {
    if (isFound.current || wanted === null || rows.length === 0) return;
    isFound.current = true;
    // An event without a row of its own belongs to one before it.
    const before = rows.findLastIndex((row) => row.sequence !== null && row.sequence <= wanted);
    const index = Math.max(0, before);
    setKey(rows[index]?.key ?? null);
    list.current?.scrollToIndex(index, { align: "center" });
  }, [list, rows, wanted]);
  return key;
}

/** True in the render in which rows came or went at the top. */
function useShift(firstSequence: number): boolean {
  const shown = useRef(firstSequence);
  const isShifted = shown.current !== 0 && shown.current !== firstSequence;
  useLayoutEffect(() => {
    shown.current = firstSequence;
  }, [firstSequence]);
  return isShifted;
}

/** How many rows have come at the end since the reader left it. */
function useNewCount(rows: readonly Row[], isAtEnd: boolean): number {
  const [lastKey, setLastKey] = useState<string | null>(null);
  const newest = rows.at(-1)?.key ?? null;
  const latest = useRef(newest);
  latest.current = newest;
  useEffect(() => {
    setLastKey(isAtEnd ? null : latest.current);
  }, [isAtEnd]);
  if (isAtEnd || lastKey === null) return 0;
  const at = rows.findLastIndex((row) => row.key === lastKey);
  return at === -1 ? 0 : rows.length - 1 - at;
}

/** Which permission request is about which tool call. */
function relatedRows(rows: readonly Row[]) {
  const calls = new Map<string, ToolRow>();
  for (const row of rows) if (row.kind === "tool") calls.set(row.toolCallId, row);
  const tools = new Map<string, ToolRow>();
  const waiting = new Set<string>();
  const declined = new Set<string>();
  for (const row of rows) {
    if (row.kind !== "permission") continue;
    const call = callOf(row, calls);
    if (!call) continue;
    tools.set(row.key, call);
    if (row.response === null) waiting.add(call.key);
    else if (outcomeWords(row.response, row.options).tone === "reject") declined.add(call.key);
  }
  return { tools, waiting, declined };
}

function callOf(row: PermissionRow, calls: ReadonlyMap<string, ToolRow>): ToolRow | null {
  const id = row.toolCall?.toolCallId;
  return typeof id === "string" ? (calls.get(id) ?? null) : null;
}

/** Whether there is anything to say above the first row. */
function hasTop({ hasOlder, olderFailure, isLoadingOlder, prunedBefore }: FeedSnapshot): boolean {
  return hasOlder || isLoadingOlder || olderFailure !== null || prunedBefore !== null;
}

function TopOfTranscript({
  feed,
  state,
  heightPx,
}: {
  feed: SessionFeed;
  state: FeedSnapshot;
  heightPx: number;
}) {
  const { hasOlder, isLoadingOlder, olderFailure, prunedBefore } = state;
  return (
    <div className="flex items-end justify-center text-muted text-xs" style={{ height: heightPx }}>
      {olderFailure ? (
        <span className="flex items-center gap-2">
          Older events did not load: {olderFailure.message}
          <Button size="sm" onClick={feed.loadOlder}>
            Retry
          </Button>
        </span>
      ) : isLoadingOlder ? (
        "Loading older events"
      ) : hasOlder ? (
        <Button variant="ghost" size="sm" onClick={feed.loadOlder}>
          Load older events
        </Button>
      ) : prunedBefore !== null ? (
        `Events before #${prunedBefore} are no longer kept`
      ) : null}
    </div>
  );
}
