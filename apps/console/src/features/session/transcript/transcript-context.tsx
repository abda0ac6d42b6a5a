"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { createContext, useContext, useState } from "react";

/** What rows need to know beside themselves. */
export interface TranscriptContextValue {
  sessionId: string;
  /** Null until the session's own record has come. */
  session: SessionInfo | null;
  /** The rows end before the newest event, so that not all ends are among them. */
  isPast: boolean;
  /** What a reader opened or closed, by row key: rows that scroll out of sight forget their state. */
  choices: Map<string, boolean>;
  /** Takes a message out of the queue before its turn begins. */
  cancelQueued: (promptId: string) => void;
}

const TranscriptContext = createContext<TranscriptContextValue | null>(null);

export const TranscriptProvider = TranscriptContext;

export function useTranscriptContext(): TranscriptContextValue {
  const value = useContext(TranscriptContext);
  if (value === null) throw new Error("a transcript row needs a TranscriptProvider above it");
  return value;
}

/** Whether a row is open: as the reader chose, else as `byItself` says. */
export function useOpen(key: string, byItself: boolean): [boolean, () => void] {
  const { choices } = useTranscriptContext();
  const [choice, setChoice] = useState(() => choices.get(key));
  const isOpen = choice ?? byItself;
  const toggle = () => {
    choices.set(key, !isOpen);
    setChoice(!isOpen);
  };
  return [isOpen, toggle];
}
