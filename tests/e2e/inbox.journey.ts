import type { Page } from "@playwright/test";
import { expect, logIn, test } from "./journey.ts";
import { connectRobot, openAsking } from "./robot.ts";
import { violations } from "./violations.ts";

function goToInbox(page: Page) {
  return page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /Inbox/ })
    .click();
}

function lines(page: Page) {
  return page.getByRole("list", { name: "Needs a person" }).getByRole("listitem");
}

/** The page's own count, beside those in the bars. */
function pendingBadge(page: Page) {
  return page.getByRole("main").getByText(/^\d+ pending$/);
}

function selectedLine(page: Page) {
  return page.locator('button[aria-current="true"]');
}

test("twenty-five requests of ten sessions are worked through by keys, and the selection never jumps", async ({
  page,
  signalbox,
}) => {
  await page.clock.install();
  await logIn(page, signalbox);
  await using robot = await connectRobot(page, signalbox);
  const tenSessions = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`job-${index}`, index % 2 === 0 ? 3 : 2]),
  );
  await openAsking(robot, tenSessions);
  await goToInbox(page);
  await expect(lines(page)).toHaveCount(25);
  await expect(pendingBadge(page)).toHaveText("25 pending");
  await expect(page).toHaveTitle(/^\(25\)/);
  await expect(page.getByRole("link", { name: "Inbox 25 pending" })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.keyboard.press("j");
  await expect(lines(page).nth(1).getByRole("button")).toBeFocused();
  const chosen = await selectedLine(page).getAttribute("id");
  // Only a card that has the focus takes digits.
  await page.keyboard.press("1");
  await openAsking(robot, { "job-late": 1 });
  await expect(lines(page)).toHaveCount(26);
  await expect(selectedLine(page)).toHaveAttribute("id", chosen ?? "");
  await expect(lines(page).last()).toContainText("job-late");

  await page.clock.pauseAt(Date.now() + 5_000);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.clock.runFor(50);
  await expect(page.getByRole("group", { name: /Delete the build folder/ })).toBeFocused();
  // Meant for what was there before the card appeared.
  await page.keyboard.press("1");
  await page.clock.runFor(600);
  expect((await robot.api.permissions.pending.query({ limit: 50 })).requests).toHaveLength(26);
  await page.clock.resume();
  await page.keyboard.press("1");
  await expect(pendingBadge(page)).toHaveText("25 pending");
  const third = lines(page).nth(2);
  await expect(third).toContainText("Answered by console");
  await expect(page).toHaveTitle(/^\(25\)/);
  // A second press of the same key answers nothing else.
  await page.keyboard.press("1");
  await page.keyboard.press("k");
  await expect(lines(page).nth(1).getByRole("button")).toBeFocused();
  await page.keyboard.press("e");
  await expect(lines(page)).toHaveCount(25);
  await expect(pendingBadge(page)).toHaveText("25 pending");
  await page.getByRole("tab", { name: "Set aside" }).click();
  await expect(page.getByRole("list", { name: "Set aside" }).getByRole("listitem")).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Bring back" }).click();
  await expect(page.getByText("Nothing is set aside")).toBeVisible();

  await page.getByRole("tab", { name: "Resolved" }).click();
  const decided = page.getByRole("list", { name: "Resolved" }).getByRole("listitem");
  await expect(decided).toHaveCount(1);
  await expect(decided).toContainText("Allow once, by console");
  expect(await violations(page)).toEqual([]);
  await decided.getByRole("link").click();
  await expect(page).toHaveURL(/\/s\/job-\d\?seq=\d+$/);
  const { rows } = await robot.api.audit.list.query({ limit: 50 });
  const answers = rows.filter((row) => row.action === "permissions.respond");
  expect(answers).toHaveLength(1);
  expect(answers[0]).toMatchObject({
    actor: { kind: "login", name: "console" },
    details: { optionId: "allow", optionKind: "allow_once" },
  });
});

test("several requests are answered together: one was lost to another, one had no such option", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await using robot = await connectRobot(page, signalbox, "night shift");
  await openAsking(robot, { batch: 7 });
  await robot.api.sessions.open.mutate({
    sessionId: "odd",
    agent: "demo",
    permissionPolicy: "ask",
  });
  await robot.api.sessions.submitPrompt.mutate({
    sessionId: "odd",
    content: [{ type: "text", text: "/odd-permission" }],
  });
  await goToInbox(page);
  await expect(lines(page)).toHaveCount(8);
  for (const box of await page.getByRole("checkbox", { name: /^Select:/ }).all()) await box.check();
  await expect(page.getByText("8 requests selected")).toBeVisible();
  await page.getByRole("button", { name: "Answer together…" }).click();
  const dialog = page.getByRole("dialog", { name: "Answer together" });
  await expect(dialog.getByText("rm -r build")).toHaveCount(8);
  await expect(dialog).not.toContainText(/always/i);
  await dialog.getByRole("radio", { name: "Reject, this time" }).check();
  const answers = dialog.getByRole("list", { name: "Answers" }).locator("> li");
  await expect(answers).toHaveCount(7);
  await expect(dialog.getByRole("list", { name: "Left out" })).toContainText(
    "No option to reject this time",
  );
  expect(await violations(page)).toEqual([]);

  const { requests } = await robot.api.permissions.pending.query({ limit: 50 });
  const taken = requests.find((request) => request.sessionId === "batch");
  await robot.api.permissions.respond.mutate({
    sessionId: "batch",
    requestId: taken?.requestId ?? "",
    optionId: "allow",
  });
  const go = dialog.getByRole("button", { name: "Reject, this time: 7" });
  await expect(go).toBeDisabled();
  await dialog.getByLabel(/Type their number/).fill("7");
  await go.click();
  await expect(dialog.getByText("6 of 7 accepted.")).toBeVisible();
  await expect(answers.filter({ hasText: "already answered by night shift" })).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(pendingBadge(page)).toHaveText("1 pending");
  await expect(page.getByText("requests selected")).toHaveCount(0);
  await page.getByRole("button", { name: "Clear 7 ended" }).click();
  await expect(lines(page)).toHaveCount(1);
});

test("a crash stands in the inbox with its last words until the session goes on or is set aside", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await using robot = await connectRobot(page, signalbox);
  const sendTo = async (sessionId: string, text: string) => {
    await robot.api.sessions.submitPrompt.mutate({ sessionId, content: [{ type: "text", text }] });
  };
  for (const sessionId of ["one", "two"]) {
    await robot.api.sessions.open.mutate({ sessionId, agent: "demo" });
    await sendTo(sessionId, "/crash");
  }
  await goToInbox(page);
  await expect(page.getByText("2 failed")).toBeVisible();
  await expect(lines(page)).toHaveCount(2);
  await expect(page.getByRole("region", { name: "The agent crashed" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const shown = (await selectedLine(page).textContent())?.includes("one") ? "one" : "two";
  await sendTo(shown, "Are you there?");
  await expect(page.getByRole("status").filter({ hasText: "No longer failed" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByText("1 failed")).toBeVisible();
});
