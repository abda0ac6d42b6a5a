"use client";

import type { JsonObject, PendingPermission } from "@signalbox/protocol";
import { ShieldCheck, ShieldQuestion, ShieldX } from "lucide-react";
import { type KeyboardEvent, type RefObject, Suspense, useEffect, useId, useRef } from "react";
import { Age } from "../../components/time.tsx";
import { cn } from "../../lib/cn.ts";
import { useConnection } from "../../lib/trpc.tsx";
import { asText } from "../session/content/json-read.ts";
import { RawJson } from "../session/content/raw-json.tsx";
import { VisibleText } from "../session/content/visible-code.tsx";
import { ToolBody } from "../session/tools/tool-body.tsx";
import { ToolKindIcon } from "../session/tools/tool-kind.tsx";
import { OptionButton } from "./option-button.tsx";
import { type EndedPermission, outcomeWords, reasonWords } from "./permission-words.ts";
import { type AnswerState, useAnswer } from "./use-answer.ts";

/** Keys do nothing this long after a card appears or changes: they were meant for what was before. */
const INERT_MS = 500;

type PermissionCardProps = {
  request: PendingPermission;
  /** Less around it, for lists. */
  compact?: boolean;
  /** How the request ended, once it has. */
  end?: EndedPermission | null;
  /** What the tool call showed before the request; the request's own fields win. */
  announced?: JsonObject | null;
};

/**
 * One permission request with exactly the options its agent offers, in its order.
 *
 * It never takes the focus. Digits press options only while the card has it.
 */
export function PermissionCard({
  request,
  compact = false,
  end = null,
  announced = null,
}: PermissionCardProps) {
  const { state, choose, reconsider } = useAnswer(request);
  const connection = useConnection();
  const card = useRef<HTMLFieldSetElement>(null);
  const shownAtMs = useRef(Number.POSITIVE_INFINITY);
  const isArmed = () => performance.now() - shownAtMs.current >= INERT_MS;
  const ids = useId();

  const toolCall = told(announced, request.toolCall);
  const isOver = end !== null || state.step === "accepted" || state.step === "lost";
  const offReason =
    connection.state === "live"
      ? null
      : "Not connected to the server. Answers can be given once the connection is back.";
  const isOff = offReason !== null || state.step === "sending";

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") reconsider();
    if (isOver || isOff || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isArmed() || isTyping(event.target) || !/^[1-9]$/.test(event.key)) return;
    const option = request.options[Number(event.key) - 1];
    if (!option) return;
    event.preventDefault();
    choose(option);
  };

  return (
    <fieldset
      ref={card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: digits act only while the card has focus
      tabIndex={0}
      aria-labelledby={`${ids}title`}
      data-request-id={request.requestId}
      onKeyDown={onKeyDown}
      className={cn(
        "min-w-0 rounded-lg",
        end === null && "border bg-surface",
        !isOver && "border-warning/50",
      )}
    >
      {end === null ? (
        <CardHead
          titleId={`${ids}title`}
          request={request}
          toolCall={toolCall}
          isOver={isOver}
          compact={compact}
        />
      ) : (
        <EndedLine titleId={`${ids}title`} request={request} title={titleOf(toolCall)} end={end} />
      )}
      {end !== null ? null : (
        // A change that is still being fetched holds the options back: nobody decides on it unseen.
        <Suspense fallback={<p className="px-3 pb-3 text-muted text-xs">Loading the change</p>}>
          <div className="space-y-3 px-3 pb-3">
            <Shown identity={`${request.requestId} ${request.digest}`} atMs={shownAtMs} />
            <ToolBody tool={toolCall} cwd={request.cwd} isForDecision={!isOver} />
            <RawJson
              label="Raw request"
              value={{ toolCall: request.toolCall, options: request.options }}
            />
            {isOver ? null : (
              <>
                <div className="flex flex-wrap gap-2">
                  {request.options.map((option, index) => (
                    <OptionButton
                      // biome-ignore lint/suspicious/noArrayIndexKey: an agent may offer one id twice
                      key={index}
                      option={option}
                      digit={index < 9 ? index + 1 : null}
                      isConfirming={
                        state.step === "confirming" && state.optionId === option.optionId
                      }
                      isSending={state.step === "sending" && state.optionId === option.optionId}
                      isOff={isOff}
                      describedBy={offReason === null ? undefined : `${ids}off`}
                      onPress={() => choose(option)}
                    />
                  ))}
                </div>
                {request.options.length === 0 ? (
                  <p className="text-muted text-sm">
                    The agent offers no option. Cancelling the turn ends this request.
                  </p>
                ) : null}
                {offReason === null ? null : (
                  <p id={`${ids}off`} className="text-warning text-xs">
                    {offReason}
                  </p>
                )}
              </>
            )}
          </div>
        </Suspense>
      )}
      <AnswerNote state={state} end={end} />
    </fieldset>
  );
}

function titleOf(toolCall: JsonObject): string {
  return asText(toolCall.title) ?? asText(toolCall.toolCallId) ?? "Unnamed action";
}

function CardHead({
  titleId,
  request,
  toolCall,
  isOver,
  compact,
}: {
  titleId: string;
  request: PendingPermission;
  toolCall: JsonObject;
  isOver: boolean;
  compact: boolean;
}) {
  return (
    <div className="flex items-start gap-2.5 px-3 py-2.5">
      <ShieldQuestion
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", isOver ? "text-muted" : "text-warning")}
      />
      <div className="min-w-0 flex-1">
        <p id={titleId} className="flex items-start gap-1.5 font-medium">
          <ToolKindIcon kind={asText(toolCall.kind)} className="mt-0.5" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <VisibleText text={titleOf(toolCall)} />
          </span>
        </p>
        <p className="text-muted text-xs">
          {isOver ? "Permission was asked" : "The agent asks for permission and waits"} ·{" "}
          <Age iso={request.requestedAt} />
        </p>
      </div>
      {compact || request.agent === "" ? null : (
        <span className="shrink-0 text-muted text-xs">{request.agent}</span>
      )}
    </div>
  );
}

const END_ICON = { allow: ShieldCheck, reject: ShieldX, neutral: ShieldQuestion } as const;
const END_COLOUR = { allow: "text-success", reject: "text-danger", neutral: "text-muted" } as const;

/** A request that is over, in one line. */
function EndedLine({
  titleId,
  request,
  title,
  end,
}: {
  titleId: string;
  request: PendingPermission;
  title: string;
  end: EndedPermission;
}) {
  const { text, tone } = outcomeWords(end, request.options);
  const Icon = END_ICON[tone];
  return (
    <p className="flex items-start gap-1.5 px-0.5 py-0.5 text-sm">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", END_COLOUR[tone])} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">
          <VisibleText text={text} />
        </span>{" "}
        <span id={titleId} className="text-muted">
          · <VisibleText text={title} />
        </span>
      </span>
    </p>
  );
}

/** What came of the press, for eyes and for screen readers alike. */
function AnswerNote({ state, end }: { state: AnswerState; end: EndedPermission | null }) {
  const note = end === null ? noteOf(state) : null;
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

function noteOf(state: AnswerState): { text: string; isFailure: boolean } | null {
  switch (state.step) {
    case "accepted":
      return {
        text: "Accepted: the answer is stored and was handed to the agent.",
        isFailure: false,
      };
    case "lost": {
      const by = state.resolvedBy === null ? "" : ` by ${state.resolvedBy.name}`;
      return {
        text: `Your answer did not count. ${reasonWords(state.reason)}${by}.`,
        isFailure: false,
      };
    }
    case "open":
      if (state.failure === null) return null;
      if (state.failure.appCode === "permission_changed") {
        return {
          text: "The request has changed since it was shown. Reload the page and read it again before you answer.",
          isFailure: true,
        };
      }
      return { text: `Not sent: ${state.failure.message}`, isFailure: true };
    default:
      return null;
  }
}

/** Notes since when the request has stood there whole and unchanged: keys before were for another. */
function Shown({ identity, atMs }: { identity: string; atMs: RefObject<number> }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request starts the time anew
  useEffect(() => {
    atMs.current = performance.now();
    return () => {
      atMs.current = Number.POSITIVE_INFINITY;
    };
  }, [identity, atMs]);
  return null;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

function told(announced: JsonObject | null, asked: JsonObject): JsonObject {
  const set = Object.entries(asked).filter(([, value]) => value !== null);
  return { ...announced, ...Object.fromEntries(set) };
}
