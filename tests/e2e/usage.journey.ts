import { readFile } from "node:fs/promises";
import { expect, logIn, openDemoSession, send, test } from "./journey.ts";
import { violations } from "./violations.ts";

test("what agents used is drawn, told as a table and saved as a file", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).click();
  await expect(page.getByText("Nothing was used")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await openDemoSession(page, "spender");
  await send(page, "hello");
  await expect(page.getByRole("article", { name: "End of turn" })).toBeVisible();
  await send(page, "/permission");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("article", { name: "End of turn" })).toHaveCount(2);

  await page.goto(`${signalbox.url}/usage?by=session`);
  const table = page.getByRole("region", { name: "Usage table" });
  const line = table.getByRole("row").filter({ hasText: "spender" });
  await expect(line.getByRole("cell").first()).toHaveText("2");
  await expect(line).toContainText("$");
  await expect(page.locator("figure").filter({ hasText: "Turns" }).locator("svg")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByLabel("Grouped").selectOption("day");
  await page.getByLabel("Range").selectOption("7");
  await expect(page).toHaveURL(/by=day&days=7$/);
  // A head, seven days, a total.
  await expect(table.getByRole("row")).toHaveCount(9);

  await page.getByLabel("Grouped").selectOption("agent");
  await expect(table.getByRole("row").filter({ hasText: "demo" })).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("usage-by-agent-7-days.csv");
  expect(await readFile(await file.path(), "utf8")).toMatch(/\r\ndemo,2,0,0,/);
});
