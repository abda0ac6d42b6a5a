const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A number of bytes in words, in powers of 1,000: "0 B", "812 kB", "1.4 GB". */
export function byteText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would be shown as 1000 is 1.0 of the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
