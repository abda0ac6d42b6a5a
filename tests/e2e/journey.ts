/**
 * What every journey through the console has: a Signalbox of its own, and a page on which an error,
 * a warning or a request to another origin fails the journey.
 */
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { type SeedOptions, seed } from "../seed/seed.ts";
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

  /** What was found since the last call. */
  take(): string[] {
    return this.#findings.splice(0);
  }
}

/** How full the data folder is before the first start; null leaves it to Signalbox. */
type Seeding = Pick<SeedOptions, "sessions" | "longEvents" | "hasCorpus"> | null;

export const test = base.extend<{
  seeding: Seeding;
  signalbox: SignalboxProcess;
  guard: PageGuard;
}>({
  seeding: [null, { option: true }],
  signalbox: async ({ seeding }, use, info) => {
    const signalbox = await SignalboxProcess.create();
    try {
      if (seeding !== null) {
        const { dataDir, workspace: cwd } = signalbox;
        await seed({ dataDir, cwd, ...seeding, nowMs: Date.now() });
      }
      await signalbox.start();
      await use(signalbox);
    } finally {
      await info.attach("server log", { body: signalbox.stderr, contentType: "text/plain" });
      await signalbox.close();
    }
  },
  guard: [
    async ({ page, signalbox }, use) => {
      const guard = new PageGuard(page, signalbox);
      await use(guard);
      expect(guard.take()).toEqual([]);
    },
    { auto: true },
  ],
});

/** Follows the printed link and ends on the list of sessions. */
export async function logIn(page: Page, signalbox: SignalboxProcess): Promise<void> {
  await page.goto(signalbox.loginLink);
  await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeVisible();
}

/** Opens a session with the demo agent and ends on its page. */
export async function openDemoSession(page: Page, sessionId: string): Promise<void> {
  await page.getByRole("link", { name: "New session" }).first().click();
  await page.getByRole("radio", { name: "Demo agent" }).check();
  await page.getByLabel("Session id").fill(sessionId);
  await page.getByRole("button", { name: "Open session" }).click();
  await expect(page.getByRole("heading", { name: sessionId })).toBeVisible();
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message to the agent").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

export function transcript(page: Page): Locator {
  return page.getByRole("feed", { name: "Transcript" });
}

export { expect } from "@playwright/test";
