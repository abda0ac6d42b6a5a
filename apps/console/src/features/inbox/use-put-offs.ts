"use client";

import { useMemo } from "react";
import { useStoredText } from "../../lib/preference.ts";
import type { InboxEntry } from "./inbox-entry.ts";
import { bringBack, putOff, readPutOffs } from "./set-aside.ts";

/** What this browser put off, the same in all its tabs. */
export function usePutOffs() {
  const [text, store] = useStoredText("inbox-aside");
  const putOffs = useMemo(() => readPutOffs(text), [text]);
  return {
    putOffs,
    setAside: (entry: InboxEntry) => store(JSON.stringify(putOff(putOffs, entry, Date.now()))),
    bringBack: (entry: InboxEntry) => store(JSON.stringify(bringBack(putOffs, entry))),
  };
}
