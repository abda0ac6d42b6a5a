import type { Page } from "@playwright/test";
import { expect, logIn, openDemoSession, send, test } from "./journey.ts";
import { violations } from "./violations.ts";

test("login, list, form, session and inbox have no accessibility violation that axe knows", async ({
  page,
  signalbox,
}) => {
  await page.goto(`${signalbox.url}/login`);
  await expect(page.getByRole("heading", { name: "Signalbox" })).toBeVisible();
  await expectAccessible(page);

  await logIn(page, signalbox);
  await expectAccessible(page);

  await page.getByRole("link", { name: "New session" }).first().click();
  await expect(page.getByRole("radio", { name: "Demo agent" })).toBeVisible();
  await expectAccessible(page);

  await openDemoSession(page, "accessible");
  await send(page, "/tour");
  await expect(page.getByRole("group", { name: "Edit src/greeting.ts" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbox" }).click();
  await expect(page.getByRole("button", { name: "Allow once" })).toBeVisible();
  await expectAccessible(page);
});

async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}
