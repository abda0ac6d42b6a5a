"use client";

import { ExternalLink, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { VisibleText } from "../session/content/visible-code.tsx";
import { linkFacts } from "./question-words.ts";
import type { QuestionState } from "./use-question-answer.ts";

type LinkQuestionProps = {
  url: string;
  state: QuestionState;
  isOff: boolean;
  onAccept: () => void;
  /** Decline and cancel, which need no link. */
  children: React.ReactNode;
};

/** An address in full, opened by a press and by nothing else. */
export function LinkQuestion({ url, state, isOff, onAccept, children }: LinkQuestionProps) {
  const { host, isWeb, warning } = linkFacts(url);
  const [isOpened, setOpened] = useState(false);
  return (
    <div className="space-y-3">
      <div className="rounded-md border bg-inset px-3 py-2">
        {host === "" ? null : (
          <p className="mb-1 text-sm">
            Leads to <span className="font-medium font-mono [overflow-wrap:anywhere]">{host}</span>
          </p>
        )}
        <div className="flex items-start gap-2">
          <p className="min-w-0 flex-1 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
            <VisibleText text={url} />
          </p>
          <CopyButton text={() => url} label="Copy the address" />
        </div>
      </div>
      {warning === null ? null : (
        <p className="flex items-start gap-1.5 text-sm text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{warning}</span>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {isWeb ? (
          <Button asChild variant={isOpened ? "secondary" : "primary"} className="max-sm:w-full">
            {/* A plain link: nothing of it is fetched before the press. */}
            <a href={url} target="_blank" rel="noopener noreferrer" onClick={() => setOpened(true)}>
              <ExternalLink aria-hidden />
              Open in a new tab
            </a>
          </Button>
        ) : null}
        <Button
          variant={isOpened ? "primary" : "secondary"}
          className="max-sm:w-full"
          disabled={isOff || !isOpened}
          title={isOpened ? undefined : "Open the address first"}
          onClick={onAccept}
        >
          {state.step === "sending" && state.action === "accept" ? "Sending…" : "I have opened it"}
        </Button>
        {children}
      </div>
    </div>
  );
}
