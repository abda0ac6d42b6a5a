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

/** A switch that this browser remembers, on unless it was turned off. */
export function useSwitch(name: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const key = `signalbox.${name}`;
  const isOn = useSyncExternalStore(
    watch,
    () => window.localStorage.getItem(key) !== "off",
    () => true,
  );
  const set = (value: boolean) => {
    window.localStorage.setItem(key, value ? "on" : "off");
    changed.dispatchEvent(new Event("change"));
  };
  return [isOn, set];
}
