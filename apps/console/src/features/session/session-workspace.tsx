"use client";

import type { SessionInfo, SessionStatus } from "@signalbox/protocol";
import { lazy, Suspense, useRef, useState } from "react";
import { useConnection } from "../../lib/trpc.tsx";
import { useMarkSeen } from "../../lib/use-last-seen.ts";
import {
  AdapterGone,
  MissedPlace,
  ReadingPast,
  RetryOffer,
  SendFailure,
  StreamFailure,
} from "./banners.tsx";
import { Composer } from "./composer/composer.tsx";
import { usePrompt } from "./composer/use-prompt.ts";
import { asText } from "./content/json-read.ts";
import type { FeedSnapshot, SessionFeed } from "./session-feed.ts";
import { SessionHeader } from "./session-header.tsx";
import { type PanelContent, SessionPanel } from "./session-panel.tsx";
import { EmptyTranscript } from "./transcript/empty-transcript.tsx";
import { TranscriptProvider } from "./transcript/transcript-context.tsx";
import { isOpenRequest, type PlanRow, type Row } from "./transcript/transcript-rows.ts";
import { TranscriptView } from "./transcript/transcript-view.tsx";
import { usageWords } from "./usage.ts";
import { useAnnouncement } from "./use-announcement.ts";
import { useSessionActions, useSessionRecord, useStderr } from "./use-session-actions.ts";

const DeleteDialog = lazy(() =>
  import("./delete-dialog.tsx").then((module) => ({ default: module.DeleteDialog })),
);
const PanelDialog = lazy(() =>
  import("./panel-dialog.tsx").then((module) => ({ default: module.PanelDialog })),
);

const PLACEHOLDER: Readonly<Record<SessionStatus, string>> = {
  idle: "Message the agent",
  failed: "Message the agent",
  running: "The agent is working",
  waiting: "The agent waits for your answer above",
};

export function SessionWorkspace({
  sessionId,
  feed,
  state,
}: {
  sessionId: string;
  feed: SessionFeed;
  state: FeedSnapshot;
}) {
  const { facts, rows } = state.transcript;
  const { session, config } = useSessionRecord(sessionId, state.transcript);
  const stderr = useStderr(sessionId, state.transcript.stderr, state.isLive);
  // Rows that end in the past do not tell how it stands now.
  const isBusy = state.hasNewer ? isAtWork(session) : facts.openPromptId !== null;
  const prompting = usePrompt(sessionId, feed, isBusy);
  const actions = useSessionActions(sessionId, facts.openPromptId);
  const announcement = useAnnouncement(state);
  // Who reads the past has not seen the newest.
  const seenTo = state.hasNewer ? 0 : state.transcript.latestSequence;
  useMarkSeen(sessionId, session?.createdAt ?? null, seenTo);
  const connection = useConnection();
  const input = useRef<HTMLTextAreaElement>(null);
  const [choices] = useState(() => new Map<string, boolean>());
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);

  const usage = usageWords(facts.usage ?? session?.usage ?? null);
  const insertCommand = (name: string) => {
    setPanelOpen(false);
    prompting.setText(`/${name} `);
    input.current?.focus();
  };
  const panel: PanelContent = {
    session,
    plan: latestPlan(rows),
    config,
    pendingConfigId: actions.pendingConfigId,
    usage: usage?.short ?? null,
    stderr,
    onConfig: actions.setConfig,
    onCommand: insertCommand,
  };
  const stored = session?.state.status ?? null;
  const status = state.hasNewer ? stored : statusOf(stored, rows, isBusy);
  const resendable = state.hasNewer ? null : retryableText(rows);

  return (
    <TranscriptProvider
      value={{
        sessionId,
        session,
        isPast: state.hasNewer,
        choices,
        cancelQueued: actions.cancelQueued,
      }}
    >
      <SessionHeader
        sessionId={sessionId}
        title={facts.title ?? session?.title ?? null}
        session={session}
        status={status}
        usage={usage}
        actions={{
          onPanel: () => setPanelOpen(true),
          onUnload: actions.unload,
          onDelete: () => setDeleting(true),
        }}
      />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          {rows.length === 0 ? (
            <EmptyTranscript
              agent={session?.agent ?? null}
              onCommand={insertCommand}
              config={config}
            />
          ) : (
            <TranscriptView key={state.place} feed={feed} state={state} />
          )}
          <div className="shrink-0 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
            <div className="mx-auto max-w-[52rem] space-y-2">
              {state.failure !== null && connection.state === "live" ? (
                <StreamFailure failure={state.failure} onRetry={feed.retry} />
              ) : null}
              {state.missed === null ? null : <MissedPlace failure={state.missed} />}
              {prompting.failure === null ? null : (
                <SendFailure
                  failure={prompting.failure}
                  onRetry={prompting.send}
                  onDismiss={prompting.dismiss}
                />
              )}
              {resendable === null || isBusy || prompting.failure !== null ? null : (
                <RetryOffer
                  isSending={rows.at(-1)?.sequence === null}
                  onSend={() => prompting.sendText(resendable)}
                />
              )}
              {state.hasNewer ? (
                <ReadingPast failure={state.newerFailure} onLatest={feed.toLatest} />
              ) : (
                <>
                  {session === null || isBusy || resendable !== null ? null : (
                    <AdapterGone session={session} rows={rows} />
                  )}
                  <Composer
                    prompting={prompting}
                    commands={config?.availableCommands ?? []}
                    isBusy={isBusy}
                    isCancelling={actions.isCancelling}
                    onCancel={actions.cancel}
                    placeholder={PLACEHOLDER[status ?? "idle"]}
                    input={input}
                  />
                </>
              )}
            </div>
          </div>
        </div>
        <aside
          aria-label="Session details"
          className="w-80 shrink-0 overflow-y-auto border-l bg-surface max-xl:hidden"
        >
          <SessionPanel {...panel} />
        </aside>
      </div>
      <Suspense>
        {isPanelOpen ? <PanelDialog panel={panel} onClose={() => setPanelOpen(false)} /> : null}
        {isDeleting ? (
          <DeleteDialog sessionId={sessionId} isOpen onOpenChange={setDeleting} isBusy={isBusy} />
        ) : null}
      </Suspense>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </TranscriptProvider>
  );
}

function isAtWork(session: SessionInfo | null): boolean {
  const status = session?.state.status;
  return status === "running" || status === "waiting";
}

/** The record is told after its events; what the events say already is said at once. */
function statusOf(
  stored: SessionStatus | null,
  rows: readonly Row[],
  isBusy: boolean,
): SessionStatus | null {
  const isWaiting = rows.some(isOpenRequest);
  if (isWaiting) return "waiting";
  if (isBusy) return "running";
  if (stored === "failed") return "failed";
  const last = rows.findLast((row) => row.kind === "turn_end" || row.kind === "user");
  if (last?.kind === "turn_end" && last.error !== null) return "failed";
  return stored === null ? null : "idle";
}

function latestPlan(rows: readonly Row[]): PlanRow | null {
  const row = rows.findLast((candidate) => candidate.kind === "plan");
  return row?.kind === "plan" ? row : null;
}

/** The text of the last turn, if it failed in a way that allows the same message again. */
function retryableText(rows: readonly Row[]): string | null {
  const end = rows.findLast((row) => row.kind === "turn_end" || row.kind === "user");
  if (end?.kind !== "turn_end" || end.error?.retryable !== true) return null;
  const message = rows.findLast((row) => row.kind === "user" && row.promptId === end.promptId);
  if (message?.kind !== "user") return null;
  const isText = message.blocks.every((block) => block.type === "text");
  return isText ? message.blocks.map((block) => asText(block.text) ?? "").join("") : null;
}
