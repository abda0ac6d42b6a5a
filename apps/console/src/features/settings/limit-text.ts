import { formatAge } from "../../lib/relative-time.ts";

const KIB = 1024;

/** A limit in the unit that its name tells: "24 MiB", "10 s", "100,000". */
export function limitText(name: string, value: number): string {
  if (name.endsWith("Bytes")) return binaryText(value);
  if (name.endsWith("Ms"))
    return value < 1_000 ? `${value} ms` : formatAge(value).replace(/ 0+ \w+$/u, "");
  return value.toLocaleString("en-GB");
}

/** Limits are set in powers of 1,024, and told so where that makes a round figure. */
function binaryText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"] as const;
  let value = bytes;
  let unit = 0;
  while (value >= KIB && value % KIB === 0 && unit < units.length - 1) {
    value /= KIB;
    unit += 1;
  }
  return `${value.toLocaleString("en-GB")} ${units[unit]}`;
}
