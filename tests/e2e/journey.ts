/**
 * What every journey through the console has: a Signalbox of its own, and a page on which an error,
 * a warning or a request to another origin fails the journey.
 */
import { test as base, expect, type Page } from "@playwright/test";
import { SignalboxProcess } from "./signalbox-process.ts";

/** What a browser says about a server that is not there. */
const OUTAGE_NOISE = /ERR_CONNECTION_|ERR_EMPTY_RESPONSE|WebSocket connection to/;

/** Collects what must not happen on a page. */
export class PageGuard {
  readonly #findings: string[] = [];
  #isOutage = false;

  constructor(page: Page, signalbox: SignalboxProcess) {
    page.on("pageerror", (error) => this.#findings.push(`uncaught: ${error.stack}`));
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      const isExpected = this.#isOutage && OUTAGE_NOISE.test(message.text());
      if (!isExpected) this.#findings.push(`console ${message.type()}: ${message.text()}`);
    });
    const judge = (url: string) => {
      const { protocol, host } = new URL(url);
      if (protocol === "data:" || protocol === "blob:") return;
      if (host !== new URL(signalbox.url).host) this.#findings.push(`foreign request: ${url}`);
    };
    page.on("request", (request) => judge(request.url()));
    page.on("websocket", (socket) => judge(socket.url()));
  }

  /** While `during` runs, the browser may complain that the server is away. */
  async outage(during: () => Promise<void>): Promise<void> {
    this.#isOutage = true;
    await during();
    this.#isOutage = false;
  }

  assertQuiet(): void {
    expect(this.#findings).toEqual([]);
  }
}

export const test = base.extend<{ signalbox: SignalboxProcess; guard: PageGuard }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  signalbox: async ({}, use) => {
    const signalbox = await SignalboxProcess.create();
    try {
      await signalbox.start();
      await use(signalbox);
    } finally {
      await signalbox.close();
    }
  },
  guard: async ({ page, signalbox }, use) => {
    const guard = new PageGuard(page, signalbox);
    await use(guard);
    guard.assertQuiet();
  },
});

export { expect } from "@playwright/test";
