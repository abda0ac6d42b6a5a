import { expect, test } from "./journey.ts";
import { violations } from "./violations.ts";

test("what the journeys watch for is seen when it happens", async ({ page, signalbox, guard }) => {
  await page.goto(`${signalbox.url}/login`);
  await expect(page.getByRole("heading", { name: "Signalbox" })).toBeVisible();
  expect(guard.take()).toEqual([]);

  await page.evaluate(`console.error("a broken promise")`);
  await page.evaluate(`void setTimeout(() => { throw new Error("nobody caught me") })`);
  await page.goto(`data:text/html,<html><title>x</title><img src="http://127.0.0.1:9/pixel">`);
  await expect.poll(() => violations(page)).toContainEqual(expect.stringContaining("image-alt"));

  const found = guard.take();
  expect(found).toContainEqual(expect.stringContaining("a broken promise"));
  expect(found).toContainEqual(expect.stringContaining("nobody caught me"));
  expect(found).toContainEqual(
    expect.stringContaining("foreign request: http://127.0.0.1:9/pixel"),
  );
});
