"use client";

import { useId, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogFooter } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { cn } from "../../lib/cn.ts";
import type { Outcome } from "../../lib/use-each.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { ToolBody } from "../session/tools/tool-body.tsx";
import {
  BATCH_KINDS,
  type BatchAnswer,
  type BatchKind,
  batchPlan,
  TYPED_COUNT_FROM,
} from "./batch.ts";
import { headlineOf } from "./entry-words.ts";
import type { InboxEntry } from "./inbox-entry.ts";
import { useBatch } from "./use-batch.ts";

const KIND: Readonly<Record<BatchKind, string>> = {
  allow_once: "Allow, this time",
  reject_once: "Reject, this time",
};

/** Lists whole what is about to be answered, and afterwards what came of each. */
export function BatchDialog({ entries, onClose }: { entries: InboxEntry[]; onClose: () => void }) {
  const [kind, setKind] = useState<BatchKind>("allow_once");
  const [typed, setTyped] = useState("");
  const { step, outcomes, run } = useBatch();
  const { answers, leftOut } = batchPlan(entries, kind);
  const mustType = answers.length >= TYPED_COUNT_FROM;
  const isReady = answers.length > 0 && (!mustType || typed.trim() === String(answers.length));
  const accepted = [...outcomes.values()].filter(({ isDone }) => isDone).length;
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent
        title="Answer together"
        description="Each request gets the option of its own agent that stands with it, one after the other."
        className="sm:max-w-2xl"
      >
        {step === "open" ? <KindChoice kind={kind} onChoose={setKind} /> : null}
        <ol aria-label="Answers" className="mt-3 divide-y rounded-lg border">
          {answers.map((answer) => (
            <AnswerLine
              key={answer.entry.id}
              answer={answer}
              outcome={outcomes.get(answer.entry.id) ?? null}
            />
          ))}
        </ol>
        {leftOut.length === 0 ? null : (
          <>
            <h3 className="mt-4 mb-1 font-medium">Left out</h3>
            <ul aria-label="Left out" className="text-muted">
              {leftOut.map(({ entry, why }) => (
                <li key={entry.id} className="[overflow-wrap:anywhere]">
                  <VisibleText text={headlineOf(entry)} /> · {why}
                </li>
              ))}
            </ul>
          </>
        )}
        {step === "open" && mustType ? (
          <TypedCount count={answers.length} typed={typed} onType={setTyped} />
        ) : null}
        {step === "done" ? (
          <p role="status" className="mt-4">
            {accepted} of {answers.length} accepted.
          </p>
        ) : null}
        <DialogFooter>
          <Button onClick={onClose}>{step === "done" ? "Close" : "Back"}</Button>
          {step === "done" ? null : (
            <Button
              variant="primary"
              disabled={!isReady || step === "sending"}
              onClick={() => run(answers)}
            >
              {step === "sending"
                ? `Sending ${outcomes.size + 1} of ${answers.length}`
                : `${KIND[kind]}: ${answers.length}`}
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function KindChoice({ kind, onChoose }: { kind: BatchKind; onChoose: (kind: BatchKind) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-4">
      <legend className="sr-only">Answer</legend>
      {BATCH_KINDS.map((choice) => (
        <label key={choice} className="inline-flex items-center gap-2">
          <input
            type="radio"
            name="batch-kind"
            checked={choice === kind}
            onChange={() => onChoose(choice)}
            className="size-4 accent-accent"
          />
          {KIND[choice]}
        </label>
      ))}
    </fieldset>
  );
}

function AnswerLine({ answer, outcome }: { answer: BatchAnswer; outcome: Outcome | null }) {
  const { entry, option } = answer;
  return (
    <li className="space-y-2 px-3 py-2.5">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">
          <VisibleText text={headlineOf(entry)} />
        </span>{" "}
        <span className="text-muted text-xs">
          · {entry.sessionId} · gets “<VisibleText text={option.name} />”
        </span>
      </p>
      <ToolBody tool={entry.request.toolCall} cwd={entry.request.cwd} isForDecision />
      {outcome === null ? null : (
        <p className={cn("font-medium text-xs", outcome.isDone ? "text-success" : "text-warning")}>
          {outcome.words}
        </p>
      )}
    </li>
  );
}

function TypedCount({
  count,
  typed,
  onType,
}: {
  count: number;
  typed: string;
  onType: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className="mt-4">
      <label htmlFor={id}>These are {count} requests. Type their number to go on.</label>
      <Input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        className="mt-1 max-w-28"
      />
    </div>
  );
}
