/**
 * `npm run screenshots`: draws the pictures of the documentation anew, from a seeded Signalbox in a
 * folder of its own.
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { connectRobot, openAsking } from "../tests/e2e/robot.ts";
import { SignalboxProcess } from "../tests/e2e/signalbox-process.ts";
import { seed } from "../tests/seed/seed.ts";
import { findSystemChromium } from "./lib/chromium.mjs";

const FOLDER = fileURLToPath(new URL("../docs/images/", import.meta.url));
const SIZE = { width: 1280, height: 800 };

async function draw(page: Page, signalbox: SignalboxProcess): Promise<void> {
  const shot = (name: string) => page.screenshot({ path: `${FOLDER}${name}.png` });
  await page.goto(signalbox.loginLink);
  await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
  await using robot = await connectRobot(page, signalbox, "nightly");
  const { sessions } = robot.api;
  await openAsking(robot, { "clean-up": 2, release: 1 });
  await sessions.open.mutate({ sessionId: "tour", agent: "demo", permissionPolicy: "ask" });
  const content = [{ type: "text", text: "/tour" }];
  await sessions.submitPrompt.mutate({ sessionId: "tour", content });

  await page.goto(`${signalbox.url}/s/tour`);
  await page.getByRole("button", { name: /^Allow once/ }).waitFor();
  await shot("session");
  await page.goto(`${signalbox.url}/inbox`);
  await page.getByRole("button", { name: /Edit src\/greeting.ts/ }).click();
  await page.getByRole("button", { name: /^Allow once/ }).waitFor();
  await shot("inbox");
}

await mkdir(FOLDER, { recursive: true });
const executablePath = findSystemChromium(process.env);
const signalbox = await SignalboxProcess.create();
const browser = await chromium.launch({
  ...(executablePath === null ? {} : { executablePath }),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const { dataDir, workspace: cwd } = signalbox;
  await seed({ dataDir, cwd, sessions: 14, longEvents: 200, nowMs: Date.now() });
  await signalbox.start();
  await draw(await browser.newPage({ viewport: SIZE, colorScheme: "light" }), signalbox);
} finally {
  await browser.close();
  await signalbox.close();
}
