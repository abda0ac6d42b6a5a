import { cn } from "../../../lib/cn.ts";
import { visiblePieces } from "./visible-text.ts";

/** Code in one block, wrapped, with characters that hide made visible. */
export function VisibleCode({ text, className }: { text: string; className?: string }) {
  return (
    <pre
      className={cn(
        "max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-md bg-inset px-3 py-2 font-mono text-xs leading-5",
        className,
      )}
    >
      <VisibleText text={text} />
    </pre>
  );
}

export function VisibleText({ text }: { text: string }) {
  let at = 0;
  return visiblePieces(text).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isHidden ? (
      <mark
        key={key}
        title="A character that does not show"
        className="rounded-sm bg-danger-soft px-0.5 text-danger"
      >
        {piece.text}
      </mark>
    ) : (
      piece.text
    );
  });
}
