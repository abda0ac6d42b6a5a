/** Medians and ratios: absolute times say more about the machine than about the program. */

export interface Figure {
  readonly name: string;
  /** How many times the unit of comparison; null for the unit itself. */
  readonly ratio: number | null;
  readonly value: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export async function timeMs(run: () => void | Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

export function print(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...figures.map((figure) => figure.name.length));
  for (const { name, ratio, value } of figures) {
    const times = ratio === null ? "" : `  × ${ratio.toFixed(2)}`;
    console.log(`  ${name.padEnd(width)}  ${value}${times}`);
  }
}
