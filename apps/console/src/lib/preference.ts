"use client";

import { useSyncExternalStore } from "react";

const changed = new EventTarget();

function watch(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  changed.addEventListener("change", onChange);
  return () => {
    window.removeEventListener("storage", onChange);
    changed.removeEventListener("change", onChange);
  };
}

/** A text that this browser remembers under a name, the same in all its tabs; null for none. */
export function useStoredText(name: string): [text: string | null, store: (text: string) => void] {
  const key = `signalbox.${name}`;
  const text = useSyncExternalStore(
    watch,
    () => window.localStorage.getItem(key),
    () => null,
  );
  const store = (next: string) => {
    window.localStorage.setItem(key, next);
    changed.dispatchEvent(new Event("change"));
  };
  return [text, store];
}

/**
 * One of a few words that this browser remembers; the first is meant where none was chosen, or one
 * that this version does not know.
 */
export function useChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [chosen: T, choose: (choice: T) => void] {
  const [usual] = choices;
  const [stored, store] = useStoredText(name);
  return [choices.find((choice) => choice === stored) ?? usual, store];
}

/** A switch that this browser remembers, on unless it was turned off. */
export function useSwitch(name: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const [word, choose] = useChoice(name, ["on", "off"]);
  return [word === "on", (isOn) => choose(isOn ? "on" : "off")];
}
