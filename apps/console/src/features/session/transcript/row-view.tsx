"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { memo } from "react";
import { cn } from "../../../lib/cn.ts";
import { PermissionCard } from "../../permission/permission-card.tsx";
import { QuestionCard } from "../../question/question-card.tsx";
import { PlanCard } from "../content/plan-view.tsx";
import { announcedCall, ToolCard } from "../tools/tool-card.tsx";
import { Crash, Notice, Queued, TurnEnd, Unknown } from "./event-rows.tsx";
import { AgentMessage, Thought, UserMessage } from "./message-rows.tsx";
import { useTranscriptContext } from "./transcript-context.tsx";
import type { PermissionRow, QuestionRow, Row, ToolRow } from "./transcript-rows.ts";

const LABEL: Readonly<Record<Row["kind"], string>> = {
  user: "Your message",
  message: "Agent message",
  thought: "Thought",
  tool: "Tool call",
  plan: "Plan",
  permission: "Permission request",
  question: "Question",
  turn_end: "End of turn",
  queued: "Queued message",
  crash: "Agent exit",
  notice: "Notice",
  unknown: "Event",
};

type RowViewProps = {
  row: Row;
  /** From 1, in the rows that are loaded. */
  position: number;
  /** The reader came for it. */
  isWanted: boolean;
  isInOpenTurn: boolean;
  /** For a tool call: an open permission request shows its content. */
  isWaiting: boolean;
  /** For a tool call: someone said no to it. */
  isDeclined: boolean;
  /** For a permission request: the call it is about. */
  tool: ToolRow | null;
};

export const RowView = memo(function RowView({ position, isWanted, ...props }: RowViewProps) {
  return (
    <article
      aria-label={LABEL[props.row.kind]}
      aria-posinset={position}
      aria-setsize={-1}
      data-row={props.row.kind}
      {...(isWanted ? { "data-wanted": "" } : {})}
      className={cn(spacingOf(props.row), isWanted && "-mx-2 rounded-md bg-accent-soft px-2")}
    >
      <RowContent {...props} />
    </article>
  );
});

function spacingOf(row: Row): string {
  if (row.kind === "user") return "pt-5 pb-2";
  if (row.kind === "turn_end") return "pt-3 pb-1";
  if (row.kind === "tool") return "py-1";
  return row.kind === "message" ? "py-2.5" : "py-1.5";
}

function RowContent({
  row,
  isInOpenTurn,
  isWaiting,
  isDeclined,
  tool,
}: Omit<RowViewProps, "position" | "isWanted">) {
  switch (row.kind) {
    case "user":
      return <UserMessage row={row} />;
    case "message":
      return <AgentMessage row={row} />;
    case "thought":
      return <Thought row={row} />;
    case "tool":
      return <ToolCard row={row} {...{ isInOpenTurn, isWaiting, isDeclined }} />;
    case "plan":
      return <PlanCard row={row} />;
    case "permission":
      return <Permission row={row} tool={tool} />;
    case "question":
      return <Question row={row} />;
    case "turn_end":
      return <TurnEnd row={row} />;
    case "queued":
      return <Queued row={row} />;
    case "crash":
      return <Crash row={row} />;
    case "notice":
      return <Notice row={row} />;
    case "unknown":
      return <Unknown row={row} />;
  }
}

const ENDED_LATER = { status: "not_pending", reason: null, resolvedBy: null };

/** Whether a request whose end is not among the rows has ended: the record tells which are open. */
function endsLater(requestId: string, session: SessionInfo | null): boolean {
  if (session === null) return false;
  if (session.state.status !== "waiting") return true;
  const { requests, questions } = session.state;
  return [...requests, ...questions].every((request) => request.requestId !== requestId);
}

function Permission({ row, tool }: { row: PermissionRow; tool: ToolRow | null }) {
  const { sessionId, session, isPast } = useTranscriptContext();
  const isGone = isPast && endsLater(row.requestId, session);
  const request = {
    sessionId,
    requestId: row.requestId,
    promptId: row.promptId,
    toolCall: row.toolCall ?? { title: "A permission request on an older page" },
    options: row.options,
    digest: row.digest,
    requestedAt: row.timestamp ?? "",
    agent: "",
    cwd: session?.cwd ?? "",
    title: session?.title ?? null,
  };
  return (
    <PermissionCard
      request={request}
      compact
      end={row.response ?? (isGone ? { ...ENDED_LATER, outcome: null } : null)}
      announced={tool === null ? null : announcedCall(tool)}
    />
  );
}

function Question({ row }: { row: QuestionRow }) {
  const { sessionId, session, isPast } = useTranscriptContext();
  const isGone = isPast && endsLater(row.requestId, session);
  const end = row.response ?? (isGone ? { ...ENDED_LATER, action: "cancel" } : null);
  const question = {
    sessionId,
    requestId: row.requestId,
    promptId: row.promptId,
    message: row.message ?? "A question on an older page",
    mode: row.mode,
    ...(row.schema === null ? {} : { schema: row.schema }),
    ...(row.url === null ? {} : { url: row.url }),
    requestedAt: row.timestamp ?? "",
  };
  return <QuestionCard question={question} agent={session?.agent ?? null} end={end} />;
}
