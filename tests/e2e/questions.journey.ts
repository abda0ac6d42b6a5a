import type { Page } from "@playwright/test";
import { expect, logIn, openDemoSession, send, test, transcript } from "./journey.ts";
import { violations } from "./violations.ts";

function group(page: Page, name: string) {
  return page.getByRole("group", { name, exact: true });
}

test("a form is filled in, mended at its field and answered; the agent hears what was typed", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "curious");
  await send(page, "/survey");
  const card = group(page, "Please tell me how to set up the builds.");
  await expect(card).toBeVisible();
  await expect(card.getByText("demo asks and waits")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await expect(card.getByLabel("Size")).toHaveValue("m");
  await expect(card.getByLabel("Machines")).toHaveValue("2");
  await expect(card.getByLabel("First day")).toHaveValue("2027-01-04");
  await expect(card.getByRole("checkbox", { name: "linux" })).toBeChecked();
  await expect(card.getByText("This console has no input")).toBeVisible();
  await expect(card.getByLabel("Colour")).toHaveCount(0);

  await card.getByLabel("Name").fill("A");
  await card.getByLabel("Machines").fill("17");
  await card.getByRole("button", { name: "Send answer" }).click();
  await expect(card.getByText("Name must have at least 2 characters")).toBeVisible();
  await expect(card.getByText("Machines must be at most 16")).toBeVisible();
  await expect(card.getByLabel("Name")).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await card.getByLabel("Name").fill("Ada");
  await card.getByLabel("Machines").fill("3");
  await card.getByRole("checkbox", { name: "windows" }).check();
  await card.getByRole("button", { name: "Send answer" }).click();
  await expect(transcript(page).getByText("Answered by console")).toBeVisible();
  await expect(page.getByText('"name": "Ada"')).toBeVisible();
  await expect(page.getByText('"machines": 3')).toBeVisible();
  await expect(page.getByText('"windows"')).toBeVisible();
});

test("what only the server can check is said at the field, and what was typed stays", async ({
  page,
  signalbox,
  guard,
}) => {
  await logIn(page, signalbox);
  await openDemoSession(page, "checked");
  await send(page, "/question");
  const version = page.getByLabel("Version");
  await version.fill("soon");
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByText("Version must match")).toBeVisible();
  await expect(version).toHaveValue("soon");
  // The refusal itself, as the browser words it.
  expect(guard.take()).toEqual([expect.stringContaining("status of 400")]);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbox" }).click();
  await expect(page.getByLabel("Version")).toHaveValue("soon");
  // Digits that answer permission requests are only text here.
  await page.getByLabel("Version").fill("");
  await page.getByLabel("Version").pressSequentially("1.2.3");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByRole("status").getByText("Answered by console")).toBeVisible();
});

test("a link is shown in full, opened by a press alone, and can be declined", async ({
  page,
  signalbox,
  context,
}) => {
  // The page itself would be another origin, which no journey may ask.
  await context.route("https://example.org/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Checklist</title>" }),
  );
  const opened: string[] = [];
  context.on("request", (request) => {
    if (request.url().startsWith("https://example.org")) opened.push(request.url());
  });
  await logIn(page, signalbox);
  await openDemoSession(page, "linked");
  await send(page, "/link");
  const url = "https://example.org/checklist?for=signalbox-demo";
  await expect(page.getByText(url)).toBeVisible();
  await expect(page.getByText("Leads to example.org")).toBeVisible();
  await expect(page.getByRole("button", { name: "I have opened it" })).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  expect(opened).toEqual([]);

  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Open in a new tab" }).click(),
  ]);
  await expect(tab).toHaveTitle("Checklist");
  expect(await tab.evaluate<boolean>("window.opener === null && document.referrer === ''")).toBe(
    true,
  );
  await tab.close();
  await page.getByRole("button", { name: "I have opened it" }).click();
  await expect(page.getByText("Thank you for reading the checklist.")).toBeVisible();
  await expect(page.getByText("The agent has what the link was for")).toBeVisible();

  await send(page, "/link");
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You chose to decline")).toBeVisible();
  await expect(transcript(page).getByText("Declined by console")).toBeVisible();
});
