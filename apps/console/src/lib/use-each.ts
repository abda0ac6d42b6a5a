"use client";

import { useEffect, useRef, useState } from "react";
import { failureOf } from "./failure.ts";

export interface Outcome {
  words: string;
  isDone: boolean;
}

/** Does something with each of several things, one after the other, and keeps what came of each. */
export function useEach<T>(idOf: (item: T) => string, act: (item: T) => Promise<Outcome>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [step, setStep] = useState<"open" | "sending" | "done">("open");
  const ends = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    ends.current = controller;
    // Who closes the list stops the rest.
    return () => controller.abort();
  }, []);

  const run = async (items: readonly T[]) => {
    const { signal } = ends.current;
    setStep("sending");
    for (const item of items) {
      if (signal.aborted) return;
      const outcome = await act(item).catch((error: unknown) => ({
        words: `Not done: ${failureOf(error).message}`,
        isDone: false,
      }));
      setOutcomes((old) => new Map(old).set(idOf(item), outcome));
    }
    setStep("done");
  };
  return { step, outcomes, run: (items: readonly T[]) => void run(items) };
}
