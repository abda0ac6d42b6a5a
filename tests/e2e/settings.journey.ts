import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

test("the settings say who may do what, take it back, and show what was done", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Settings" })
    .click();
  await expect(page).toHaveTitle(/Settings/);
  await page.getByRole("tab", { name: "Access" }).click();

  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("build robot");
  await dialog.getByRole("button", { name: "Make token" }).click();
  await expect(dialog.getByText(/^sb_token_/)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();

  const tokens = page.getByRole("region", { name: "Tokens" });
  await expect(tokens).toContainText("build robot");
  await tokens.getByRole("button", { name: "Revoke the token build robot" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(tokens).not.toContainText("build robot");

  await page.getByRole("tab", { name: "Audit log" }).click();
  const rows = page.getByRole("tabpanel").getByRole("listitem");
  await expect(rows.filter({ hasText: "tokens.create" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "tokens.revoke" })).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  await page.getByRole("tab", { name: "Limits and about" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("64 MiB");
  expect(await violations(page)).toEqual([]);
});

test("what a browser prefers is kept for it", async ({ page, signalbox }) => {
  await logIn(page, signalbox);
  await page.goto(`${signalbox.url}/settings`);
  const choice = (name: string) => page.getByRole("combobox", { name });
  await choice("Theme").selectOption("dark");
  await choice("Density").selectOption("compact");
  await choice("Times").selectOption("utc");
  await page.reload();
  await expect(choice("Theme")).toHaveValue("dark");
  await expect(page.locator("html")).toHaveClass(/dark/);
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(
    page
      .getByRole("tabpanel")
      .getByText(/\d\d:\d\d:\d\d UTC/)
      .first(),
  ).toBeVisible();
});

test("a request that comes while the page is not looked at is notified, until it is answered", async ({
  page,
  context,
  signalbox,
}) => {
  await context.grantPermissions(["notifications"], { origin: signalbox.url });
  // Chromium without a screen has no notification centre: what would be shown is noted instead.
  await page.addInitScript(() => {
    const notices: { title: string; body: string; isOpen: boolean }[] = [];
    class NotedNotification {
      static permission = "granted";
      static requestPermission = async () => "granted";
      readonly #notice;
      constructor(title: string, { body }: { body: string }) {
        this.#notice = { title, body, isOpen: true };
        notices.push(this.#notice);
      }
      close() {
        this.#notice.isOpen = false;
      }
    }
    Object.assign(globalThis, { Notification: NotedNotification, notices });
    Object.assign(Reflect.get(globalThis, "document"), { hasFocus: () => false });
  });
  const notices = () => page.evaluate(() => Reflect.get(globalThis, "notices"));
  await logIn(page, signalbox);
  await page.goto(`${signalbox.url}/settings`);
  await page.getByLabel("Desktop notifications").click();
  await expect(page.getByLabel("Desktop notifications")).toHaveText("Turn off");

  await openDemoSession(page, "asking");
  await send(page, "/permission");
  await expect.poll(notices).toEqual([
    {
      title: "asking",
      body: expect.stringMatching(/^Asks for permission: /),
      isOpen: true,
    },
  ]);
  await page
    .getByRole("button", { name: /^Allow/ })
    .first()
    .click();
  await expect(transcript(page)).toContainText(/allow/i);
  await expect.poll(notices).toEqual([expect.objectContaining({ title: "asking", isOpen: false })]);
});
