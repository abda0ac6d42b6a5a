"use client";

/** Short messages over the page. What draws them is fetched with the first. */
import type { ExternalToast, toast as Toast } from "sonner";

type Words = Pick<ExternalToast, "id" | "description">;

let draw: typeof Toast | null = null;
const waiting: ((toast: typeof Toast) => void)[] = [];
const readers = new Set<() => void>();

function tell(message: (toast: typeof Toast) => void): void {
  if (draw !== null) {
    message(draw);
    return;
  }
  waiting.push(message);
  for (const wake of readers) wake();
}

export const toast = {
  success: (title: string, words?: Words): void => tell((shown) => shown.success(title, words)),
  error: (title: string, words?: Words): void => tell((shown) => shown.error(title, words)),
};

/** Whether there has been anything to tell. */
export function hasToasts(): boolean {
  return draw !== null || waiting.length > 0;
}

export function watchToasts(onChange: () => void): () => void {
  readers.add(onChange);
  return () => readers.delete(onChange);
}

/** What draws messages is on the page now. */
export function drawToasts(drawn: typeof Toast): void {
  draw = drawn;
  for (const message of waiting.splice(0)) message(drawn);
}
