import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

test("stored events are read as they are, found again in the transcript, and downloaded", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "long");
  await send(page, "/steps 300");
  await expect(page.getByRole("article", { name: "End of turn" })).toBeVisible();

  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Stored events" }).click();
  const events = page.getByRole("list", { name: "Events" });
  await expect(events.getByRole("listitem").first()).toContainText("_signalbox/turn_ended");
  await events.getByRole("button", { expanded: false }).first().click();
  await expect(events.getByRole("listitem").first()).toContainText('"stopReason": "end_turn"');
  expect(await violations(page)).toEqual([]);

  await page.getByLabel("Up to event number").fill("120");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(events.getByRole("listitem").first()).toContainText("#120");
  await page.getByRole("button", { name: "Load older" }).click();
  await expect(events.getByRole("listitem").last()).toContainText("#1");

  await page.getByLabel("Type").fill("user_message_chunk");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(events.getByRole("listitem")).toHaveCount(1);
  await page.getByLabel("Type").fill("");
  await page.getByRole("button", { name: "Show" }).click();

  await events.getByRole("link", { name: "Event 120 in the transcript" }).click();
  await expect(page).toHaveURL(/seq=120$/);
  await expect(transcript(page).locator("[data-wanted]")).toBeInViewport();
  await expect(page.getByText("These are older events")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Go to the latest" }).click();
  await expect(page.getByRole("article", { name: "End of turn" })).toBeInViewport();
  await expect(page.getByLabel("Message to the agent")).toBeVisible();

  await page.goto(`${signalbox.url}/s/long?seq=100000`);
  await expect(page.getByText("There is no event yet of the number in this link")).toBeVisible();
  await expect(page.getByRole("article", { name: "End of turn" })).toBeInViewport();

  await page.getByRole("button", { name: "Session menu" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download transcript" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.md$/);
});
