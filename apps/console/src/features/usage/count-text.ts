const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** "12", "8,400", then "1.2M": short, but whole where that is short enough. */
export function countText(count: number): string {
  return count < 100_000 ? count.toLocaleString("en") : compact.format(count);
}
