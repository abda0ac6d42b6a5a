import type { CDPSession, Page } from "@playwright/test";

/** What the page's main thread costs, in CPU time: waiting for a busy machine does not count. */
export class CpuMeter {
  readonly #cdp: CDPSession;

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async on(page: Page): Promise<CpuMeter> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    return new CpuMeter(cdp);
  }

  /** CPU time that the main thread spent while `act` ran, in milliseconds. */
  async spent(act: () => Promise<unknown>): Promise<number> {
    const before = await this.#metric("TaskDuration");
    await act();
    return ((await this.#metric("TaskDuration")) - before) * 1_000;
  }

  /** Live JavaScript objects, in bytes. */
  async heapBytes(): Promise<number> {
    await this.#cdp.send("HeapProfiler.collectGarbage");
    return this.#metric("JSHeapUsedSize");
  }

  async #metric(name: string): Promise<number> {
    const { metrics } = await this.#cdp.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  }
}
