import { expect, test } from "@playwright/test";
import { SignalboxProcess } from "./signalbox-process.ts";

test("the login link may be followed while the console is still starting", async ({ page }) => {
  const signalbox = await SignalboxProcess.create();
  try {
    await signalbox.start({ isConsoleAwaited: false });
    await page.goto(signalbox.loginLink);
    await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeVisible();
  } finally {
    await signalbox.close();
  }
});
