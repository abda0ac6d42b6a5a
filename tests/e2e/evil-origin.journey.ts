import type { Browser, Page } from "@playwright/test";
import { chromium } from "@playwright/test";
import { findSystemChromium } from "../../scripts/lib/chromium.mjs";
import { attack, openEvilSite } from "./evil-site.ts";
import { expect, logIn, test } from "./journey.ts";
import { connectRobot } from "./robot.ts";

/** A browser for which `evil.example` is this machine, as after a rebinding of its name. */
async function launchFooled(): Promise<Browser> {
  const executablePath = findSystemChromium(process.env);
  return chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: [
      "--no-sandbox",
      "--host-resolver-rules=MAP evil.example 127.0.0.1",
      "--disable-background-networking",
    ],
  });
}

/** Runs the attack in a frame without an origin. */
async function attackFromSandbox(page: Page, target: string, token: string): Promise<void> {
  await page.evaluate(() => {
    const root = Reflect.get(globalThis, "document");
    const frame = root.createElement("iframe");
    Object.assign(frame, { name: "sandboxed", srcdoc: "<body>" });
    frame.setAttribute("sandbox", "allow-scripts allow-forms");
    root.body.append(frame);
  });
  await expect.poll(() => page.frame({ name: "sandboxed" })?.url()).toBe("about:srcdoc");
  await page.frame({ name: "sandboxed" })?.evaluate(attack, [target, token] as const);
}

test("no page of another origin reaches a procedure, whatever it tries, even with a token", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  await using robot = await connectRobot(page, signalbox);
  const { secret: stolen } = await robot.api.tokens.create.mutate({
    name: "stolen",
    scopes: ["R", "P"],
  });
  await robot.api.sessions.open.mutate({ sessionId: "mine", agent: "demo" });
  const { rows: before } = await robot.api.audit.list.query({ limit: 100 });
  await using evil = await openEvilSite();
  const browser = await launchFooled();
  try {
    const stranger = await browser.newPage();
    const origins = [`http://evil.example:${evil.port}`, `http://localhost:${evil.port}`];
    for (const origin of origins) {
      await stranger.goto(origin);
      const told = await stranger.evaluate(attack, [signalbox.url, stolen] as const);
      expect(told).toMatchObject({
        "event source": "failed",
        socket: "failed",
        script: "failed",
        "simple get": expect.stringContaining("failed"),
        "preflighted post": expect.stringContaining("failed"),
      });
      expect(JSON.stringify(told)).not.toContain("mine");
      await attackFromSandbox(stranger, signalbox.url, stolen);
    }

    // The name of another site that leads here: the server does not answer to it.
    const { port } = new URL(signalbox.url);
    const rebound = await stranger.goto(`http://evil.example:${port}/inbox`);
    expect(rebound?.status()).toBeGreaterThanOrEqual(400);
    const asSame = await stranger.evaluate(attack, [
      `http://evil.example:${port}`,
      stolen,
    ] as const);
    expect(asSame).toMatchObject({ "event source": "failed", socket: "failed" });
    expect(JSON.stringify(asSame)).not.toContain("mine");

    // A frame around the console shows nothing of it.
    await stranger.goto(origins[0] ?? "");
    await stranger.evaluate((url) => {
      const root = Reflect.get(globalThis, "document");
      const frame = root.createElement("iframe");
      Object.assign(frame, { name: "framed", src: url });
      root.body.append(frame);
    }, `${signalbox.url}/inbox`);
    await expect
      .poll(() => stranger.frame({ name: "framed" })?.url())
      .toMatch(/^chrome-error:|^about:blank/);
  } finally {
    await browser.close();
  }

  const { rows: after } = await robot.api.audit.list.query({ limit: 100 });
  expect(after).toEqual(before);
  const { sessions } = await robot.api.sessions.list.query({});
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["mine"]);
  // Not one call of the stolen token was let in, over either way.
  expect(signalbox.stderr).not.toContain('"name":"stolen"');
});

test("the login of the console is good on its own origin alone, port included", async ({
  page,
  signalbox,
}) => {
  await logIn(page, signalbox);
  const { origins } = await page.context().storageState();
  const stored = origins.flatMap(({ localStorage }) => localStorage);
  const token = stored.find(({ name }) => name === "signalbox.token")?.value ?? "";
  const ask = (origin: string) =>
    fetch(`${signalbox.url}/trpc/sessions.list`, {
      headers: { authorization: `Bearer ${token}`, origin },
    });
  expect((await ask(signalbox.url)).status).toBe(200);
  expect((await ask("http://127.0.0.1:1")).status).toBe(403);
  expect((await ask("null")).status).toBe(403);
});
