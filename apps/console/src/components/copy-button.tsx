"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { toast } from "../lib/toast.ts";
import { Button } from "./ui/button.tsx";

const SHOWN_MS = 1_500;

/** Copies what `text` gives and says so for a moment. */
export function CopyButton({
  text,
  label,
  className,
}: {
  text: () => string;
  label: string;
  className?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => toast.error("The browser refused access to the clipboard"),
    );
  };
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={isCopied ? "Copied" : label}
      title={label}
      onClick={copy}
      {...(className === undefined ? {} : { className })}
    >
      {isCopied ? (
        <Check aria-hidden className="size-3.5!" />
      ) : (
        <Copy aria-hidden className="size-3.5!" />
      )}
    </Button>
  );
}
