"use client";

import { useHotkeys } from "../../lib/hotkeys.ts";
import { useSwitch } from "../../lib/preference.ts";

/** Rows that keys walk through carry their session's id here. */
export const ROW_ATTRIBUTE = "data-session-row";

/** j and k walk through the rows that are shown, x selects the one with the focus. */
export function useRowKeys(onToggle: (sessionId: string) => void): void {
  const [hasHotkeys] = useSwitch("hotkeys");
  const step = (by: number) => {
    const rows = shownRows();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by;
    rows[Math.min(Math.max(next, 0), rows.length - 1)]?.querySelector("a")?.focus();
  };
  useHotkeys(
    {
      j: () => step(1),
      k: () => step(-1),
      x: () => {
        const row = shownRows().find((one) => one.contains(document.activeElement));
        const sessionId = row?.getAttribute(ROW_ATTRIBUTE) ?? null;
        if (sessionId !== null) onToggle(sessionId);
      },
    },
    hasHotkeys,
  );
}

/** Of the table and the cards only one is drawn, by the width of the screen. */
function shownRows(): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>(`[${ROW_ATTRIBUTE}]`)];
  return rows.filter((row) => row.offsetParent !== null);
}
