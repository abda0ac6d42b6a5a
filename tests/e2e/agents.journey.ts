import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

test("the agents page shows what can be started, tries it, and stops what runs", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "watched");
  await send(page, "/stderr 2");
  await expect(transcript(page)).toContainText("I wrote 2 lines");

  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Agents" })
    .click();
  const running = page.getByRole("region", { name: "Running" });
  await expect(running.getByRole("link", { name: "watched" })).toBeVisible();
  await expect(running.getByText("Ready")).toBeVisible();
  await expect(running.getByText(/\d MB$/).first()).toBeVisible();

  await running.getByRole("button", { name: "Stderr of watched" }).click();
  await expect(page.getByRole("dialog")).toContainText("demo agent: line 2 of 2");
  await page.getByRole("button", { name: "Close" }).click();

  const catalogue = page.getByRole("region", { name: "Catalogue" });
  await catalogue.getByRole("button", { name: "Check Demo agent" }).click();
  await expect(catalogue.getByText("It works.")).toBeVisible({ timeout: 60_000 });
  await expect(catalogue.getByLabel("Done")).toHaveCount(4);
  expect(await violations(page)).toEqual([]);

  await running.getByRole("button", { name: "Stop the agent of watched" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop agent" }).click();
  await expect(running.getByText("No agent runs.")).toBeVisible();

  await catalogue.getByRole("link", { name: "Session with Demo agent" }).click();
  await expect(page.getByRole("radio", { name: "Demo agent" })).toBeChecked();
});
