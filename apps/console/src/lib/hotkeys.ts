"use client";

import { useEffect, useRef } from "react";

/** Keys that belong together ("g" then "i") must follow within this time, in milliseconds. */
const SEQUENCE_MS = 1_200;

export interface KeyState {
  prefix: string | null;
  atMs: number;
}

export const NO_KEYS: KeyState = { prefix: null, atMs: 0 };

/**
 * One step of reading keys. `bindings` holds single keys ("n") and pairs ("g i").
 *
 * @returns the binding that is complete, if any, and the state for the next key
 */
export function readKey(
  state: KeyState,
  key: string,
  atMs: number,
  bindings: ReadonlySet<string>,
): { match: string | null; state: KeyState } {
  const isFresh = state.prefix !== null && atMs - state.atMs <= SEQUENCE_MS;
  const pair = isFresh ? `${state.prefix} ${key}` : null;
  if (pair !== null && bindings.has(pair)) return { match: pair, state: NO_KEYS };
  if (bindings.has(key)) return { match: key, state: NO_KEYS };
  const opensPair = [...bindings].some((binding) => binding.startsWith(`${key} `));
  return { match: null, state: opensPair ? { prefix: key, atMs } : NO_KEYS };
}

const OPEN_LAYER = ["dialog", "alertdialog", "menu"]
  .map((role) => `[role="${role}"]:not([data-state="closed"])`)
  .join(", ");

/** Where a letter is text, or belongs to an open menu or dialog. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.repeat) return true;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector(OPEN_LAYER)) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

/** Acts on keys of the whole page. Does nothing while someone types or a dialog is open. */
export function useHotkeys(actions: Readonly<Record<string, () => void>>, isOn: boolean): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!isOn) return;
    let state = NO_KEYS;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const bindings = new Set(Object.keys(latest.current));
      const step = readKey(state, event.key, event.timeStamp, bindings);
      state = step.state;
      if (step.match === null) return;
      event.preventDefault();
      latest.current[step.match]?.();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [isOn]);
}
