"use client";

import type { PendingQuestion, QuestionAction } from "@signalbox/protocol";
import { MessageCircleQuestion } from "lucide-react";
import { useId } from "react";
import { Age } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { cn } from "../../lib/cn.ts";
import { useConnection } from "../../lib/trpc.tsx";
import { reasonWords } from "../permission/permission-words.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { FormQuestion } from "./form-question.tsx";
import { problemsOf } from "./form-values.ts";
import { LinkQuestion } from "./link-question.tsx";
import { type EndedQuestion, questionEndWords } from "./question-words.ts";
import { type QuestionState, useQuestionAnswer } from "./use-question-answer.ts";

type QuestionCardProps = {
  question: PendingQuestion;
  /** Who asks; null while that is not known. */
  agent: string | null;
  /** How the question ended, once it has. */
  end?: EndedQuestion | null;
};

const OFFLINE = "Not connected to the server. Answers can be given once the connection is back.";

/** One question of an agent with its form or its link. It never takes the focus, and no key answers it. */
export function QuestionCard({ question, agent, end = null }: QuestionCardProps) {
  const { state, send } = useQuestionAnswer(question);
  const connection = useConnection();
  const titleId = useId();
  if (end !== null) return <EndedQuestionLine question={question} end={end} />;
  const isOver = state.step === "accepted" || state.step === "lost";
  const isOffline = connection.state !== "live";
  const isOff = isOffline || state.step === "sending";
  const ways = <OtherWays state={state} isOff={isOff} onPress={(action) => void send(action)} />;
  return (
    <fieldset
      aria-labelledby={titleId}
      data-request-id={question.requestId}
      className={cn("min-w-0 rounded-lg border bg-surface", !isOver && "border-info/50")}
    >
      <div className="flex items-start gap-2.5 px-3 py-2.5">
        <MessageCircleQuestion
          aria-hidden
          className={cn("mt-0.5 size-4 shrink-0", isOver ? "text-muted" : "text-info")}
        />
        <div className="min-w-0 flex-1">
          <p id={titleId} className="whitespace-pre-wrap font-medium [overflow-wrap:anywhere]">
            <VisibleText text={question.message} />
          </p>
          <p className="text-muted text-xs">
            {agent ?? "The agent"} {isOver ? "asked" : "asks and waits"} ·{" "}
            <Age iso={question.requestedAt} />
          </p>
        </div>
      </div>
      {isOver ? null : (
        <div className="space-y-3 px-3 pb-3">
          {question.mode === "form" ? (
            <FormQuestion
              question={question}
              state={state}
              isOff={isOff}
              onAnswer={(content) => void send("accept", content)}
            >
              {ways}
            </FormQuestion>
          ) : (
            <LinkQuestion
              url={question.url ?? ""}
              state={state}
              isOff={isOff}
              onAccept={() => void send("accept")}
            >
              {ways}
            </LinkQuestion>
          )}
          {isOffline ? <p className="text-warning text-xs">{OFFLINE}</p> : null}
        </div>
      )}
      <AnswerNote state={state} />
    </fieldset>
  );
}

function OtherWays({
  state,
  isOff,
  onPress,
}: {
  state: QuestionState;
  isOff: boolean;
  onPress: (action: QuestionAction) => void;
}) {
  const isSending = (action: QuestionAction) => state.step === "sending" && state.action === action;
  return (
    <>
      <Button
        className="max-sm:flex-1"
        disabled={isOff}
        title="Tells the agent that you will not answer this"
        onClick={() => onPress("decline")}
      >
        {isSending("decline") ? "Sending…" : "Decline"}
      </Button>
      <Button
        variant="ghost"
        className="max-sm:flex-1"
        disabled={isOff}
        title="Tells the agent that the question was put away without a choice"
        onClick={() => onPress("cancel")}
      >
        {isSending("cancel") ? "Sending…" : "Cancel question"}
      </Button>
    </>
  );
}

/** A question that is over, in one line. */
function EndedQuestionLine({ question, end }: { question: PendingQuestion; end: EndedQuestion }) {
  return (
    <p className="flex items-start gap-1.5 px-0.5 py-0.5 text-sm">
      <MessageCircleQuestion aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{questionEndWords(end)}</span>{" "}
        <span className="text-muted">
          · <VisibleText text={question.message} />
        </span>
      </span>
    </p>
  );
}

/** What came of the press, for eyes and for screen readers alike. */
function AnswerNote({ state }: { state: QuestionState }) {
  const note = noteOf(state);
  return (
    <div role="status">
      {note === null ? null : (
        <p
          className={cn(
            "border-t px-3 py-2 text-xs",
            note.isFailure ? "bg-danger-soft text-danger" : "text-muted",
          )}
        >
          {note.text}
        </p>
      )}
    </div>
  );
}

function noteOf(state: QuestionState): { text: string; isFailure: boolean } | null {
  if (state.step === "accepted") {
    return { text: "Sent: the answer was handed to the agent.", isFailure: false };
  }
  if (state.step === "lost") {
    const by = state.resolvedBy === null ? "" : ` by ${state.resolvedBy.name}`;
    return {
      text: `Your answer did not count. ${reasonWords(state.reason)}${by}.`,
      isFailure: false,
    };
  }
  if (state.step !== "open" || state.failure === null) return null;
  // What does not fit is said at its field.
  if (problemsOf(state.failure.details).length > 0) return null;
  return { text: `Not sent: ${state.failure.message}`, isFailure: true };
}
