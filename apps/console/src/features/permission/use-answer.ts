"use client";

import type { PendingPermission, PermissionOption } from "@signalbox/protocol";
import { useEffect, useRef, useState } from "react";
import { type Failure, failureOf } from "../../lib/failure.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { kindWords } from "./permission-words.ts";

export type AnswerState =
  | { step: "open"; failure: Failure | null }
  /** A lasting choice was pressed once. */
  | { step: "confirming"; optionId: string }
  | { step: "sending"; optionId: string }
  | { step: "accepted"; optionId: string }
  | { step: "lost"; reason: string; resolvedBy: { kind: string; name: string } | null };

const CONFIRM_MS = 6_000;

/** Sends one answer, exactly the option that was pressed, and tells what came of it. */
export function useAnswer(request: PendingPermission) {
  const client = useTRPCClient();
  const [state, setState] = useState<AnswerState>({ step: "open", failure: null });
  const { requestId, digest } = request;
  const shown = useRef({ requestId, digest });
  useEffect(() => {
    const before = shown.current;
    if (before.requestId === requestId && before.digest === digest) return;
    // Another request, or another content: nothing pressed before may count for it.
    shown.current = { requestId, digest };
    setState({ step: "open", failure: null });
  }, [requestId, digest]);

  const confirming = state.step === "confirming" ? state.optionId : null;
  useEffect(() => {
    if (confirming === null) return;
    const timer = setTimeout(() => setState({ step: "open", failure: null }), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [confirming]);

  const send = async (optionId: string) => {
    setState({ step: "sending", optionId });
    const isStillShown = () =>
      shown.current.requestId === requestId && shown.current.digest === digest;
    try {
      const { sessionId } = request;
      const answer = { sessionId, requestId, optionId, digest };
      const result = await client.permissions.respond.mutate(answer);
      if (!isStillShown()) return;
      if (result.status === "accepted") setState({ step: "accepted", optionId });
      else {
        setState({ step: "lost", reason: result.reason, resolvedBy: result.resolvedBy ?? null });
      }
    } catch (error) {
      if (isStillShown()) setState({ step: "open", failure: failureOf(error) });
    }
  };

  const choose = (option: PermissionOption) => {
    if (state.step !== "open" && state.step !== "confirming") return;
    const mustConfirm = kindWords(option.kind).confirmWords !== null;
    if (mustConfirm && confirming !== option.optionId) {
      setState({ step: "confirming", optionId: option.optionId });
    } else {
      void send(option.optionId);
    }
  };

  const reconsider = () => {
    if (confirming !== null) setState({ step: "open", failure: null });
  };

  return { state, choose, reconsider };
}
