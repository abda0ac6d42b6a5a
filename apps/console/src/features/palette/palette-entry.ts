/** What the palette can do before anything is fetched, and how it is found by what is typed. */

export interface PaletteEntry {
  /** The same while the palette is open. */
  id: string;
  group: string;
  label: string;
  /** More words that it is found by. */
  hint: string;
  /** Told beside it. */
  detail: string | null;
  run: () => void;
}

/** Whether every word of `query` begins a word of the label or stands in the hint. */
export function matches(
  { label, hint }: Pick<PaletteEntry, "label" | "hint">,
  query: string,
): boolean {
  const text = label.toLocaleLowerCase("en");
  const more = hint.toLocaleLowerCase("en");
  return query
    .toLocaleLowerCase("en")
    .split(/\s+/u)
    .filter((word) => word !== "")
    .every(
      (word) =>
        more.includes(word) ||
        text.startsWith(word) ||
        text.split(/[\s-]/u).some((part) => part.startsWith(word)),
    );
}

/** Whether the server has anything to look for: it wants a word, and one letter finds too much. */
export function isSearchable(query: string): boolean {
  return (query.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2;
}

/** Where the choice goes from `index`; the ends meet. */
export function stepped(index: number, by: number, count: number): number {
  return count === 0 ? 0 : (index + by + count) % count;
}
