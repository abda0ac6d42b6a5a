import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { LONG_SESSION } from "../seed/seed.ts";
import { expect, logIn, test } from "./journey.ts";

test.use({ seeding: { sessions: 5, longEvents: 400 } });

/** The scripts that a page's document names, compressed, in bytes without their headers. */
async function firstLoadBytes(page: Page, address: string): Promise<number> {
  const response = await page.goto(address);
  const html = (await response?.text()) ?? "";
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"[^>]*>/g)]
    // Those are for browsers of long ago; the others do not load them.
    .filter(([tag]) => !/ nomodule/i.test(tag))
    .map(([, src]) => src ?? "");
  expect(scripts.length).toBeGreaterThan(5);
  let bytes = 0;
  for (const src of new Set(scripts)) {
    const script = await page.request.get(new URL(src, address).href);
    bytes += gzipSync(await script.body(), { level: 6 }).length;
  }
  return bytes;
}

test("what a page loads at first stays within its budget", async ({ page, signalbox }) => {
  await logIn(page, signalbox);
  const budgets: [string, number][] = [
    ["/inbox", 235_000],
    ["/sessions", 235_000],
    [`/s/${LONG_SESSION}`, 265_000],
  ];
  const over: string[] = [];
  for (const [path, maxBytes] of budgets) {
    const bytes = await firstLoadBytes(page, signalbox.url + path);
    if (bytes > maxBytes) over.push(`${path}: ${bytes} bytes, over ${maxBytes}`);
  }
  expect(over).toEqual([]);
});

test("files leave compressed for who takes them so", async ({ page, signalbox }) => {
  await logIn(page, signalbox);
  const html = await (await page.request.get(`${signalbox.url}/inbox`)).text();
  const [, src = ""] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
  const script = await page.request.get(new URL(src, signalbox.url).href, {
    headers: { "accept-encoding": "gzip" },
  });
  expect(script.headers()["content-encoding"]).toBe("gzip");
});
