import type { Page } from "@playwright/test";
import { CORPUS_SESSION, HOSTILE_SESSION, LATE_SESSION } from "../seed/seed.ts";
import { SENTINEL } from "../seed/sentinel.ts";
import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

test.use({ seeding: { sessions: 3, longEvents: 20, hasCorpus: true } });

/** Shows every row once, from the newest to the oldest. @returns how many articles were seen */
function scrollThrough(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        const root = Reflect.get(globalThis, "document");
        const nextFrame = Reflect.get(globalThis, "requestAnimationFrame");
        const box = root.querySelector('[aria-label="Events of the session"]');
        const seen = new Set<unknown>();
        let atTop = 0;
        const step = () => {
          for (const row of box.querySelectorAll("article")) seen.add(row);
          for (const closed of box.querySelectorAll('article button[aria-expanded="false"]')) {
            closed.click();
          }
          box.scrollTop -= 400;
          const isMore = /older events/.test(String(box.textContent).slice(0, 60));
          atTop = box.scrollTop === 0 && !isMore ? atTop + 1 : 0;
          if (atTop > 20) done(seen.size);
          else nextFrame(step);
        };
        step();
      }),
  );
}

test("a thousand hostile messages run nothing, load nothing, report nothing and pass for nothing", async ({
  page,
  signalbox,
  guard,
}) => {
  test.setTimeout(300_000);
  // Every report of the policy, also those that no console message tells of.
  await page.addInitScript(() => {
    const reports: string[] = [];
    Reflect.set(globalThis, "policyReports", reports);
    Reflect.get(globalThis, "document").addEventListener(
      "securitypolicyviolation",
      (event: { violatedDirective: string; blockedURI: string }) =>
        reports.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await logIn(page, signalbox);
  for (const sessionId of [CORPUS_SESSION, HOSTILE_SESSION]) {
    await page.goto(`${signalbox.url}/s/${sessionId}`);
    await expect(page.getByRole("article", { name: "End of turn" }).last()).toBeVisible();
    asked.length = 0;
    const rows = await scrollThrough(page);
    expect(rows).toBeGreaterThan(sessionId === CORPUS_SESSION ? 1_000 : 15);
    expect(await page.evaluate((name) => Reflect.get(globalThis, name), SENTINEL)).toBeUndefined();
    expect(await page.evaluate(() => Reflect.get(globalThis, "policyReports"))).toEqual([]);
    // Older pages of the history, our own code when it is needed, and our own pages ahead of time.
    const own = new RegExp(`^${signalbox.url}/(trpc/|_next/static/|s/|[a-z/]+\\?_rsc=)`);
    expect(asked.filter((url) => !own.test(url) && !url.startsWith("blob:"))).toEqual([]);
    expect(page.url()).toBe(`${signalbox.url}/s/${sessionId}`);
    // Only a request of the server is a card; the texts are articles of the agent.
    await expect(page.locator("[data-request-id]")).toHaveCount(0);
    await expect(transcript(page).locator("form, iframe, script, style, object")).toHaveCount(0);
    expect(guard.take()).toEqual([]);
  }
  expect(await page.title()).not.toBe("1");
});

test("what hides in a command, a path or an option shows to whoever decides", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "disguised");
  await send(page, "/disguised-permission");
  const card = page.locator("[data-request-id]");
  await expect(card).toContainText("Clean up the logs U+202E)stsil ylno(");
  await expect(card).toContainText("ls logs U+200BU+2066; rm -rf ~U+2069 # safe");
  await expect(card).toContainText("logs/U+202Egol.ehcac");
  await expect(card.getByRole("button", { name: "Allow U+202Eecno" })).toBeVisible();
  await expect(card.getByRole("button", { name: "RejectU+0007" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${signalbox.url}/inbox`);
  await page.getByRole("button", { name: /Clean up the logs/ }).click();
  await expect(page.locator("[data-request-id]")).toContainText("U+202E)stsil ylno(");
  await expect(page.getByRole("list", { name: "Needs a person" })).toContainText("U+202E");
  expect(await violations(page)).toEqual([]);
});

test("among older events a request that was answered since is not offered again", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await page.goto(`${signalbox.url}/s/${LATE_SESSION}?seq=2`);
  await expect(page.getByText("These are older events")).toBeVisible();
  await expect(transcript(page)).toContainText("It is no longer open");
  await expect(page.getByRole("button", { name: /^Allow once/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Go to the latest" }).click();
  await expect(transcript(page)).toContainText("Answered by console");
});
