"use client";

import { useEffect, useRef, useState } from "react";
import { asText } from "./content/json-read.ts";
import type { FeedSnapshot } from "./session-feed.ts";
import { turnEndWords } from "./transcript/event-rows.tsx";
import { isOpenRequest, type Row } from "./transcript/transcript-rows.ts";

/** One sentence for a status region, whenever something happens that a person waits for. */
export function useAnnouncement(state: FeedSnapshot): string {
  const { rows, latestSequence } = state.transcript;
  const [words, setWords] = useState("");
  const heard = useRef<number | null>(null);
  useEffect(() => {
    if (state.phase !== "ready") return;
    const after = heard.current;
    heard.current = latestSequence;
    // What the first page brings has happened long ago.
    if (after === null || latestSequence <= after) return;
    const news = rows.findLast(
      (row) => row.sequence !== null && row.sequence > after && isNews(row),
    );
    if (news) setWords(wordsOf(news));
  }, [state.phase, rows, latestSequence]);
  return words;
}

function isNews(row: Row): boolean {
  return isOpenRequest(row) || row.kind === "turn_end" || row.kind === "crash";
}

function wordsOf(row: Row): string {
  if (row.kind === "permission") {
    return `Permission requested: ${asText(row.toolCall?.title) ?? "an action"}`;
  }
  if (row.kind === "question") return `Question: ${row.message ?? "the agent asks"}`;
  if (row.kind === "turn_end") return `Turn ended: ${turnEndWords(row)}`;
  return row.kind === "crash" ? "The agent’s process ended by itself" : "";
}
