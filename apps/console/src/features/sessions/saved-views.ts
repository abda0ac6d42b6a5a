/** Filters that a browser keeps under a name. */

export interface SavedView {
  name: string;
  /** The query part of the address, as the filter writes it. */
  params: string;
}

export const MAX_VIEWS = 20;
export const MAX_NAME_CHARACTERS = 40;

/** A name is there once; the newest of it counts. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const name = view.name.trim().slice(0, MAX_NAME_CHARACTERS);
  if (name === "") return views;
  const others = views.filter((known) => known.name !== name);
  return [...others, { ...view, name }].slice(-MAX_VIEWS);
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => view.name !== name);
}

/** Reads what a browser stored, which may be from another version or from nobody. */
export function readViews(text: string | null): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView).slice(-MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, params } = value as Partial<SavedView>;
  return typeof name === "string" && typeof params === "string" && params.startsWith("?");
}
