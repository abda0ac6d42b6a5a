import type { Page } from "@playwright/test";
import { LONG_SESSION } from "../seed/seed.ts";
import { CpuMeter } from "./cpu-meter.ts";
import { expect, logIn, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

const EVENTS = 50_000;
const MAX_FRAME_MS = 6;
const STRETCH_FRAMES = 150;
const BOX = '[aria-label="Events of the session"]';

// A trace films every frame, and that would be measured too.
test.use({ seeding: { sessions: 3, longEvents: EVENTS }, trace: "off" });

interface Scrolled {
  /** Frames in which the middle of the transcript showed no row. */
  blankFrames: number;
  maxNodes: number;
}

/** Scrolls up by 60 pixels a frame, as a person turns a wheel. */
function scrollUp(page: Page, frames: number, isWatching: boolean): Promise<Scrolled> {
  return page.evaluate(
    ([selector, count, watches]) =>
      new Promise<Scrolled>((done) => {
        const root = Reflect.get(globalThis, "document");
        const box = root.querySelector(selector);
        const seen = { blankFrames: 0, maxNodes: 0 };
        let frame = 0;
        const step = () => {
          box.scrollTop -= 60;
          if (watches) {
            const { top, height } = box.getBoundingClientRect();
            const middle = top + height / 2;
            const isShown = [...box.querySelectorAll("article")].some((row) => {
              const { top: from, bottom: to } = row.getBoundingClientRect();
              // Rows stand apart; a gap between two of them is not blank.
              return from - 40 <= middle && middle <= to + 40;
            });
            if (!isShown) seen.blankFrames += 1;
            seen.maxNodes = Math.max(seen.maxNodes, box.querySelectorAll("*").length);
          }
          frame += 1;
          if (frame < count) Reflect.get(globalThis, "requestAnimationFrame")(step);
          else done(seen);
        };
        step();
      }),
    [BOX, frames, isWatching] as const,
  );
}

/** Where the first row that is wholly in view stands; {@link anchorTop} tells it again. */
function anchor(page: Page): Promise<number> {
  return page.evaluate((selector) => {
    const box = Reflect.get(globalThis, "document").querySelector(selector);
    const edge = box.getBoundingClientRect().top;
    for (const row of box.querySelectorAll("article")) {
      const { top } = row.getBoundingClientRect();
      if (top > edge + 4) {
        Reflect.set(globalThis, "anchorRow", row);
        return top;
      }
    }
    throw new Error("no row is in view");
  }, BOX);
}

function anchorTop(page: Page): Promise<number> {
  return page.evaluate(() => Reflect.get(globalThis, "anchorRow").getBoundingClientRect().top);
}

test("fifty thousand events are scrolled at a constant cost, paged to the first, and linked to", async ({
  page,
  signalbox,
}) => {
  test.setTimeout(300_000);
  await logIn(page, signalbox);
  const meter = await CpuMeter.on(page);
  await page.goto(`${signalbox.url}/s/${LONG_SESSION}`);
  await expect(page.getByRole("article", { name: "End of turn" }).last()).toBeInViewport();

  expect(await leastFrameCost(meter, page)).toBeLessThanOrEqual(MAX_FRAME_MS);
  const seen = await scrollUp(page, 200, true);
  expect(seen.blankFrames).toBe(0);
  expect(seen.maxNodes).toBeLessThanOrEqual(4_000);

  await page.goto(`${signalbox.url}/s/${LONG_SESSION}?seq=25000`);
  await expect(transcript(page).locator("[data-wanted]")).toBeInViewport();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${signalbox.url}/s/${LONG_SESSION}?seq=1`);
  await expect(transcript(page).locator("[data-wanted]")).toBeInViewport();
  await page.getByRole("button", { name: "Go to the latest" }).click();
  await expect(page.getByRole("article", { name: "End of turn" }).last()).toBeInViewport();

  await pageToTheFirst(page);
  expect(await meter.heapBytes()).toBeLessThanOrEqual(150 * 1024 * 1024);
  const atTop = await scrollUp(page, 5, true);
  expect(atTop.maxNodes).toBeLessThanOrEqual(4_000);
});

/**
 * What a frame of scrolling costs, in milliseconds of CPU time. Neighbours on the machine only add to
 * it, so the least of several stretches is the nearest to the truth; it ends with one that is enough.
 */
async function leastFrameCost(meter: CpuMeter, page: Page): Promise<number> {
  await scrollUp(page, 100, false);
  let leastMs = Number.POSITIVE_INFINITY;
  for (let stretch = 0; stretch < 15 && leastMs > MAX_FRAME_MS; stretch += 1) {
    const costMs = await meter.spent(() => scrollUp(page, STRETCH_FRAMES, false));
    leastMs = Math.min(leastMs, costMs / STRETCH_FRAMES);
  }
  return leastMs;
}

/** Stays at the top until there is nothing older. */
async function pageToTheFirst(page: Page): Promise<void> {
  await page.evaluate(
    (selector) =>
      new Promise<void>((done) => {
        const root = Reflect.get(globalThis, "document");
        const box = root.querySelector(selector);
        const nextFrame = Reflect.get(globalThis, "requestAnimationFrame");
        const step = () => {
          box.scrollTop = 0;
          const isMore = /older events/.test(String(box.textContent).slice(0, 60));
          if (isMore) nextFrame(step);
          else done();
        };
        step();
      }),
    BOX,
  );
}

test("what is read stays in its place while older events come in above it", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await page.goto(`${signalbox.url}/s/${LONG_SESSION}`);
  await expect(page.getByRole("article", { name: "End of turn" }).last()).toBeInViewport();
  for (let round = 0; round < 4; round += 1) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = false;
    await page.route(/sessions\.history/, async (route) => {
      isAsked = true;
      await held;
      await route.continue();
    });
    await expect(async () => {
      // While it sticks to the end, a commit may take the page back before it hears of the scroll.
      await setScrollTop(page, 400);
      await frames(page, 2);
      expect(isAsked).toBe(true);
    }).toPass({ timeout: 15_000 });
    await settled(page);
    const before = await anchor(page);
    release();
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(2_000);
    await settled(page);
    const after = await anchorTop(page);
    expect(Math.abs(after - before), `round ${round}`).toBeLessThanOrEqual(1);
    await page.unroute(/sessions\.history/);
  }
});

function setScrollTop(page: Page, topPx: number): Promise<void> {
  return page.evaluate(
    ([selector, top]) => {
      Reflect.get(globalThis, "document").querySelector(selector).scrollTop = top;
    },
    [BOX, topPx] as const,
  );
}

function scrollTop(page: Page): Promise<number> {
  return page.evaluate(
    (selector) => Reflect.get(globalThis, "document").querySelector(selector).scrollTop,
    BOX,
  );
}

/** Waits until nothing has changed its height for ten frames: rows are measured, what is lazy is there. */
function settled(page: Page): Promise<void> {
  return page.evaluate(
    (selector) =>
      new Promise<void>((done) => {
        const box = Reflect.get(globalThis, "document").querySelector(selector);
        const nextFrame = Reflect.get(globalThis, "requestAnimationFrame");
        const step = (left: number, heightPx: number) => {
          if (left === 0) done();
          else {
            const isSame = box.scrollHeight === heightPx;
            nextFrame(() => step(isSame ? left - 1 : 10, box.scrollHeight));
          }
        };
        step(10, box.scrollHeight);
      }),
    BOX,
  );
}

function frames(page: Page, count: number): Promise<void> {
  return page.evaluate(
    (left) =>
      new Promise<void>((done) => {
        const nextFrame = Reflect.get(globalThis, "requestAnimationFrame");
        const step = (more: number) => (more === 0 ? done() : nextFrame(() => step(more - 1)));
        step(left);
      }),
    count,
  );
}
