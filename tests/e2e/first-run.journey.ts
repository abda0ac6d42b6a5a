import type { Page } from "@playwright/test";
import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";

// Tall enough for a whole transcript: rows outside the window are not in the page.
test.use({ viewport: { width: 1280, height: 2600 } });

test("a newcomer watches an agent, answers it, and finds the history after reload and kill", async ({
  page,
  signalbox,
  guard,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "first-run");
  await expect(page.getByText("Nothing said yet")).toBeVisible();

  await test.step("text arrives while it is spoken, and a cancel ends it", async () => {
    await send(page, "/slow");
    await expect(transcript(page)).toContainText("Still going, 2.");
    const cancel = page.getByRole("button", { name: "Cancel", exact: true });
    await expect(cancel).toBeVisible();
    await expect(transcript(page)).toContainText("Still going, 4.");
    await cancel.click();
    await expect(page.getByRole("article", { name: "End of turn" })).toContainText("Cancelled");
  });

  await test.step("the agent asks before it edits, and goes on when allowed", async () => {
    await send(page, "/tour");
    const request = page.getByRole("group", { name: "Edit src/greeting.ts" });
    await expect(request).toContainText("The agent asks for permission and waits");
    await expect(request.getByRole("button")).toContainText([
      "Allow once",
      "Always allow",
      "Reject",
    ]);
    await request.getByRole("button", { name: "Allow once" }).click();
    await expect(request).toContainText("Answered by console: Allow once");
    await expect(page.getByRole("heading", { name: "What happened" })).toBeVisible();
    await expect(page.getByRole("article", { name: "End of turn" }).last()).toContainText(
      "Finished",
    );
  });

  const told = await history(page);
  expect(told.length).toBeGreaterThan(10);
  await test.step("the same history after a reload", async () => {
    await page.reload();
    await expect.poll(() => history(page)).toEqual(told);
  });

  await test.step("the same history after a kill, without a reload and with one", async () => {
    await guard.outage(async () => {
      await signalbox.kill9();
      await expect(page.getByRole("status").filter({ hasText: "Reconnecting" })).toBeVisible();
      await signalbox.start();
      await expectLive(page);
    });
    expect(await history(page)).toEqual(told);
    await page.reload();
    await expect.poll(() => history(page)).toEqual(told);
  });

  await test.step("and the agent remembers", async () => {
    await send(page, "What did I say before?");
    await expect(transcript(page)).toContainText("Before this you said:");
    await expect(page.getByRole("article", { name: "Agent message" }).last()).toContainText(
      "/tour",
    );
  });
});

test("a server killed while a request waits says so afterwards", async ({
  page,
  signalbox,
  guard,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "killed");
  await send(page, "/permission");
  await expect(page.getByRole("group", { name: "Delete the build folder" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbox" }).click();
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Allow once" })).toBeVisible();

  await guard.outage(async () => {
    await signalbox.kill9();
    await signalbox.start();
    await expectLive(page);
  });
  await page.goto(`${signalbox.url}/s/killed`);
  await expect(page.getByRole("article", { name: "Permission request" })).toContainText(
    "The server was restarted",
  );
  await expect(page.getByRole("article", { name: "End of turn" })).toContainText(
    "prompt_delivery_uncertain",
  );
  await send(page, "hello again");
  await expect(page.getByRole("article", { name: "End of turn" }).last()).toContainText("Finished");
});

async function expectLive(page: Page): Promise<void> {
  const live = page.getByRole("status").filter({ hasText: /^Live$/ });
  // After several tries the next one may be half a minute away.
  await expect(live).toBeVisible({ timeout: 60_000 });
}

/** What the transcript shows, row by row. */
function history(page: Page): Promise<string[]> {
  return transcript(page).getByRole("article").allTextContents();
}
