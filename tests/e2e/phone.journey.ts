import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("on a phone a request is answered, and no page is wider than the screen", async ({
  page,
  signalbox,
}) => {
  const expectToFit = async () => {
    const overflowPx = await page.evaluate<number>(
      "document.documentElement.scrollWidth - window.innerWidth",
    );
    expect(overflowPx).toBeLessThanOrEqual(0);
  };

  await logIn(page, signalbox);
  await expect(page.getByText("No sessions yet")).toBeVisible();
  await expectToFit();

  await openDemoSession(page, "a-session-whose-name-is-rather-long-for-a-phone-held-upright");
  await send(page, "/tour");
  await expect(transcript(page)).toBeVisible();
  await expect(page.getByRole("group", { name: "Edit src/greeting.ts" })).toBeVisible();
  await expectToFit();

  await page.getByRole("link", { name: "Sessions" }).click();
  await expect(page.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await expectToFit();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByText("Answered by console")).toBeVisible();
  await expectToFit();

  await page.getByRole("button", { name: "Account and help" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  for (const tab of ["Access", "Audit log", "Limits and about"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel").getByRole("heading").first()).toBeVisible();
    await expectToFit();
  }
});
