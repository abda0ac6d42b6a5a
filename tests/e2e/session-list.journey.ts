import type { Page } from "@playwright/test";
import { expect, logIn, openDemoSession, send, test } from "./journey.ts";
import { connectRobot } from "./robot.ts";
import { violations } from "./violations.ts";

test.use({ seeding: { sessions: 60, longEvents: 40 } });

function goToSessions(page: Page) {
  return page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Sessions" })
    .click();
}

test("a filter is kept as a view, found in the address, and taken away again", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await page.getByRole("combobox", { name: "State" }).selectOption("failed");
  await expect(page).toHaveURL(/state=failed/);
  await page.getByRole("button", { name: "Keep as a view" }).click();
  await page.getByLabel("Name of the view").fill("What broke");
  await page.keyboard.press("Enter");
  expect(await violations(page)).toEqual([]);
  await page.goto(`${signalbox.url}/sessions`);
  await page.getByRole("button", { name: "What broke", exact: true }).click();
  await expect(page).toHaveURL(/state=failed/);
  await expect(page.getByRole("combobox", { name: "State" })).toHaveValue("failed");
  await page.getByRole("button", { name: "Remove the view What broke" }).click();
  await expect(page.getByRole("button", { name: "What broke", exact: true })).toHaveCount(0);
});

test("rows are walked and selected by keys, and many are unloaded or deleted with care", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await using robot = await connectRobot(page, signalbox);
  for (const sessionId of ["alpha", "beta", "gamma"]) {
    await robot.api.sessions.open.mutate({ sessionId, agent: "demo" });
  }
  await page.getByRole("heading", { name: "Sessions", exact: true }).click();
  const rows = page.locator("tr[data-session-row]");
  await expect(rows.filter({ hasText: "gamma" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(rows.first().getByRole("link")).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByText("2 sessions selected")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Clear the selection" }).click();

  for (const sessionId of ["alpha", "beta"]) {
    await page.getByRole("checkbox", { name: `Select ${sessionId}` }).check();
  }
  await page.getByRole("button", { name: "Unload…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await dialog.getByRole("button", { name: "Unload 2" }).click();
  await expect(dialog.getByText("Unloaded: 2 of 2.")).toBeVisible();
  expect((await robot.api.sessions.get.query({ sessionId: "alpha" })).adapter).toBe("unloaded");
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await page.getByRole("checkbox", { name: "Select gamma" }).check();
  await page.getByRole("checkbox", { name: "Select beta" }).check();
  await page.getByRole("button", { name: "Delete…" }).click();
  const remove = dialog.getByRole("button", { name: "Delete 2" });
  await expect(remove).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel(/Type their number/).fill("2");
  await remove.click();
  await expect(dialog.getByText("Deleted: 2 of 2.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(rows.filter({ hasText: "gamma" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "alpha" })).toHaveCount(1);
});

test("what came since a session was read is marked, until it is read", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await using robot = await connectRobot(page, signalbox);
  await openDemoSession(page, "watched");
  await send(page, "Hello.");
  await expect(page.getByRole("article", { name: "End of turn" })).toBeVisible();
  await goToSessions(page);
  const row = page.locator('tr[data-session-row="watched"]');
  await expect(row).toBeVisible();
  await expect(row.getByText(/new events?/)).toHaveCount(0);
  await robot.api.sessions.submitPrompt.mutate({
    sessionId: "watched",
    content: [{ type: "text", text: "And again." }],
  });
  await expect(row.getByText(/\d+ new events/)).toBeVisible();
  await row.getByRole("link").click();
  await expect(page.getByRole("article", { name: "End of turn" })).toHaveCount(2);
  await goToSessions(page);
  await expect(row).toBeVisible();
  await expect(row.getByText(/new events?/)).toHaveCount(0);
});
