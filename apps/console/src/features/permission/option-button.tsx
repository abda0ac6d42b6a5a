import type { PermissionOption } from "@signalbox/protocol";
import { Check, CircleHelp, LoaderCircle, X } from "lucide-react";
import { cn } from "../../lib/cn.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { visibleText } from "../session/content/visible-text.ts";
import { kindWords } from "./permission-words.ts";

const ICON = { allow: Check, reject: X, neutral: CircleHelp } as const;
const COLOUR = { allow: "text-success", reject: "text-danger", neutral: "text-muted" } as const;

/** One option as the agent offers it: its own name, and its kind in words beside it. */
export function OptionButton({
  option,
  digit,
  isConfirming,
  isSending,
  isOff,
  describedBy,
  onPress,
}: {
  option: PermissionOption;
  /** The key that presses it while the card has focus; null beyond the ninth. */
  digit: number | null;
  isConfirming: boolean;
  isSending: boolean;
  isOff: boolean;
  describedBy: string | undefined;
  onPress: () => void;
}) {
  const { words, tone, confirmWords } = kindWords(option.kind);
  const Icon = isSending ? LoaderCircle : ICON[tone];
  return (
    <button
      type="button"
      // Not `disabled`: that would take the focus away from whoever is on it.
      aria-disabled={isOff}
      aria-describedby={describedBy}
      title={`Option id: ${visibleText(option.optionId)}`}
      onClick={() => {
        if (!isOff) onPress();
      }}
      className={cn(
        "flex min-h-11 max-w-full items-center gap-2.5 rounded-md border border-border-strong bg-surface px-2.5 py-1 text-left transition-colors max-sm:w-full",
        isOff ? "cursor-not-allowed opacity-60" : "hover:bg-hover",
        isConfirming && "border-warning bg-warning-soft hover:bg-warning-soft",
      )}
    >
      <Icon
        aria-hidden
        className={cn("size-4 shrink-0", COLOUR[tone], isSending && "animate-spin text-muted")}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="block font-medium text-sm leading-tight">
          <VisibleText text={option.name} />
        </span>{" "}
        <span
          className={cn("block text-xs", isConfirming ? "font-medium text-warning" : "text-muted")}
        >
          {isConfirming ? confirmWords : <VisibleText text={words} />}
        </span>
      </span>
      {digit === null ? null : (
        <kbd
          aria-hidden
          className="ml-auto self-center rounded-sm border bg-inset px-1 font-mono text-2xs text-muted leading-4 max-sm:hidden"
        >
          {digit}
        </kbd>
      )}
    </button>
  );
}
