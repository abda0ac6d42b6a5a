"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type Failure, failureOf } from "../../../lib/failure.ts";
import { useTRPCClient } from "../../../lib/trpc.tsx";
import type { SessionFeed } from "../session-feed.ts";
import { attemptFor, type Draft, EMPTY_DRAFT, readDraft, writeDraft } from "./draft.ts";

export interface Prompting {
  text: string;
  setText: (text: string) => void;
  /** Sends what is written. */
  send: () => void;
  /** Sends `text` as a new message, whatever is being written. */
  sendText: (text: string) => void;
  failure: Failure | null;
  dismiss: () => void;
}

/** The draft of a session and the sending of it. */
export function usePrompt(sessionId: string, feed: SessionFeed, isBusy: boolean): Prompting {
  const client = useTRPCClient();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef(draft);

  useEffect(() => {
    const stored = readDraft(window.localStorage, sessionId);
    // A try whose answer was lost comes back as text: sent again unchanged it cannot run twice.
    const text = stored.text === "" ? (stored.attempt?.text ?? "") : stored.text;
    latest.current = { ...stored, text };
    setDraft(latest.current);
  }, [sessionId]);

  const change = useCallback(
    (next: Draft) => {
      latest.current = next;
      setDraft(next);
      writeDraft(window.localStorage, sessionId, next);
    },
    [sessionId],
  );

  const sendAttempt = async (attempt: { key: string; text: string }) => {
    const content = [{ type: "text", text: attempt.text }];
    const local = { key: attempt.key, blocks: content, promptId: null };
    setFailure(null);
    feed.putLocal({ ...local, delivery: "sending" });
    try {
      const { promptId } = await client.sessions.submitPrompt.mutate({
        sessionId,
        content,
        idempotencyKey: attempt.key,
        ...(isBusy ? { whenBusy: "queue" as const } : {}),
      });
      feed.putLocal({ ...local, promptId, delivery: isBusy ? "queued" : "accepted" });
      const { text, attempt: known } = latest.current;
      change({ text, attempt: known?.key === attempt.key ? null : known });
    } catch (error) {
      feed.dropLocal(attempt.key);
      setFailure(failureOf(error));
      const { text, attempt: known } = latest.current;
      change({ text: text === "" ? attempt.text : `${attempt.text}\n\n${text}`, attempt: known });
    }
  };

  const sendText = (written: string) => {
    const text = written.trim();
    if (text === "") return;
    const attempt = attemptFor(latest.current, text, () => crypto.randomUUID());
    // Kept until the answer: after a reload in between, the same text goes out under the same key.
    const rest = latest.current.text;
    change({ text: rest.trim() === text ? "" : rest, attempt });
    void sendAttempt(attempt);
  };

  return {
    text: draft.text,
    setText: (text) => change({ ...latest.current, text }),
    send: () => sendText(draft.text),
    sendText,
    failure,
    dismiss: () => setFailure(null),
  };
}
