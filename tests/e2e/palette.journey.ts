import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

test("one field leads to pages, acts, sessions and to what was said, by keys alone", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "needle-session");
  await send(page, "/steps 260");
  await expect(page.getByRole("article", { name: "End of turn" })).toBeVisible();
  await send(page, "Remember the word marzipan, please.");
  await expect(page.getByRole("article", { name: "End of turn" })).toHaveCount(2);

  // From within the composer: what is typed there stays.
  await page.getByLabel("Message to the agent").fill("a draft");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search and commands" });
  await expect(field).toBeFocused();
  await expect(page.getByRole("option", { name: "Unload the agent" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await field.fill("marzipan");
  const hit = page.getByRole("option", { name: /marzipan/ }).first();
  await expect(hit).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await expect(hit).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/s\/needle-session\?seq=\d+$/);
  await expect(transcript(page).locator("[data-wanted]")).toBeInViewport();

  await page.keyboard.press("Control+k");
  await field.fill("usage");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Usage" })).toBeVisible();
  await page.keyboard.press("/");
  await field.fill("needle");
  await expect(page.getByRole("option", { name: /needle-session/ }).first()).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Message to the agent")).toHaveValue("a draft");

  await page.keyboard.press("Control+k");
  await field.fill("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.keyboard.press("Control+k");
  await field.fill("zzzzzz");
  await expect(page.getByText("Nothing found")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
});
