"use client";

import type { JsonObject, PendingQuestion, QuestionAction } from "@signalbox/protocol";
import { useEffect, useRef, useState } from "react";
import { type Failure, failureOf } from "../../lib/failure.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { dropDraft } from "./question-drafts.ts";

export type QuestionState =
  | { step: "open"; failure: Failure | null }
  | { step: "sending"; action: QuestionAction }
  | { step: "accepted"; action: QuestionAction }
  | { step: "lost"; reason: string; resolvedBy: { kind: string; name: string } | null };

/** Sends one answer and tells what came of it. */
export function useQuestionAnswer({ sessionId, requestId }: PendingQuestion) {
  const client = useTRPCClient();
  const [state, setState] = useState<QuestionState>({ step: "open", failure: null });
  const shown = useRef(requestId);
  useEffect(() => {
    if (shown.current === requestId) return;
    shown.current = requestId;
    setState({ step: "open", failure: null });
  }, [requestId]);

  const send = async (action: QuestionAction, content?: JsonObject) => {
    if (state.step !== "open") return;
    setState({ step: "sending", action });
    try {
      const answer = { sessionId, requestId, action };
      const result = await client.questions.respond.mutate(
        content === undefined ? answer : { ...answer, content },
      );
      dropDraft(requestId);
      if (shown.current !== requestId) return;
      if (result.status === "accepted") setState({ step: "accepted", action });
      else {
        setState({ step: "lost", reason: result.reason, resolvedBy: result.resolvedBy ?? null });
      }
    } catch (error) {
      if (shown.current === requestId) setState({ step: "open", failure: failureOf(error) });
    }
  };
  return { state, send };
}
