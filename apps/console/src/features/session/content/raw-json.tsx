import type { JsonValue } from "@signalbox/protocol";
import { CopyButton } from "../../../components/copy-button.tsx";
import { VisibleCode } from "./visible-code.tsx";

const MAX_CHARS = 100_000;

/** Any value as indented JSON, folded until someone asks. */
export function RawJson({ label, value }: { label: string; value: JsonValue }) {
  return (
    <details className="group/raw text-xs">
      <summary className="w-fit text-muted hover:text-text">{label}</summary>
      <div className="relative mt-1">
        <RawText value={value} />
        <CopyButton
          text={() => JSON.stringify(value, null, 2)}
          label="Copy as JSON"
          className="absolute top-1 right-1"
        />
      </div>
    </details>
  );
}

function RawText({ value }: { value: JsonValue }) {
  const text = JSON.stringify(value, null, 2);
  return <VisibleCode text={text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n…` : text} />;
}
