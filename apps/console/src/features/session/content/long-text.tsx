"use client";

import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { cutText } from "./text-size.ts";

/** Text as it is. Of a very long one the beginning, and the rest by a press. */
export function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const { shown, left } = isWhole ? { shown: text, left: 0 } : cutText(text);
  return (
    <div className="whitespace-pre-wrap break-words text-base">
      {shown}
      {left === 0 ? null : (
        <div className="mt-2">
          <Button size="sm" onClick={() => setWhole(true)}>
            Show {left.toLocaleString("en")} more characters
          </Button>
        </div>
      )}
    </div>
  );
}
