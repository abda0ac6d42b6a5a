/** Equality of plain values: members by value, with a short way for identical objects. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  if (left.length !== Object.keys(b).length) return false;
  const right = new Map(Object.entries(b));
  return left.every(([name, value]) => right.has(name) && sameValue(value, right.get(name)));
}
