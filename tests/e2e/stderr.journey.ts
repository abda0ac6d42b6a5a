import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";

test("what an agent writes to stderr is shown as it comes, and again after a reload", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "stderr");
  await send(page, "/stderr 3");
  await expect(transcript(page)).toContainText("I wrote 3 lines");
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Stderr", exact: true }) });
  await expect(section).toContainText("demo agent: line 3 of 3");
  await page.reload();
  await expect(section).toContainText("demo agent: line 1 of 3");
  await expect(section.getByText("demo agent: line 3 of 3")).toHaveCount(1);
});
