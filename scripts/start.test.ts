import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const rootDir = fileURLToPath(new URL("..", import.meta.url));
const SET_UP_TIMEOUT_MS = 300_000;

function startUnderNpm(env: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn("npm", ["start", "--silent"], {
    cwd: rootDir,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SIGNALBOX_DATA_DIR: path.join(folder, "data"),
      SIGNALBOX_PORT: "0",
      SIGNALBOX_CONSOLE: "off",
      SIGNALBOX_CONFIG: "",
      ...env,
    },
  });
  // Only a server that npm left behind is still there to be ended.
  onTestFinished(() => endGroup(child.pid));
  const exited = once(child, "exit").then(([code]) => code);
  const lines = createInterface({ input: child.stdout });
  return { child, exited, lines };
}

function endGroup(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended, as it should.
  }
}

test("a signal sent to npm stops the server in order", { timeout: SET_UP_TIMEOUT_MS }, async () => {
  const { child, exited, lines } = startUnderNpm({});
  const printed: string[] = [];
  lines.on("line", (line) => printed.push(line));
  const [first] = await once(lines, "line");
  const url = String(first).replace("Signalbox is ready at ", "");
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok" });

  child.kill("SIGTERM");
  expect(await exited).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  // Set-up talks on stderr; stdout is for whoever reads the server's lines.
  expect(printed).toEqual([`Signalbox is ready at ${url}`]);
});

test("npm ends with the server's exit code", { timeout: SET_UP_TIMEOUT_MS }, async () => {
  const { exited } = startUnderNpm({ SIGNALBOX_PORT: "not a port" });
  expect(await exited).toBe(2);
});
