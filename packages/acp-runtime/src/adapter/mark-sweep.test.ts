import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { countMarked, sweepMarked } from "./mark-sweep.ts";
import { parsePs } from "./process-table.ts";

let launches = 0;
function newMark(): string {
  launches += 1;
  const mark = `sweep-test.${process.pid}.${launches}`;
  onTestFinished(async () => {
    await sweepMarked((other) => other === mark);
  });
  return mark;
}

/** A process that ignores SIGTERM, in a session of its own; resolves when it is ready. */
async function sleeper(env: Record<string, string>, script = ""): Promise<number> {
  const source = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${script}; console.log("ready");`;
  const child = spawn(process.execPath, ["-e", source], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.unref();
  return child.pid ?? 0;
}

test("a sweep ends what carries a matching mark, and nothing else", async () => {
  const mine = newMark();
  const other = newMark();
  const pid = await sleeper({ SIGNALBOX_MARK: mine });
  await sleeper({ SIGNALBOX_MARK: other });
  expect(await sweepMarked((mark) => mark === mine)).toEqual([pid]);
  expect(await countMarked((mark) => mark === mine)).toBe(0);
  expect(await countMarked((mark) => mark === other)).toBe(1);
});

test("a child that cleared its environment is found through its parent", async () => {
  const mark = newMark();
  const child = "setInterval(() => {}, 1000)";
  await sleeper(
    { SIGNALBOX_MARK: mark },
    `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], {env: {}, detached: true, stdio: "ignore"})`,
  );
  expect(await countMarked((other) => other === mark)).toBe(2);
  expect(await sweepMarked((other) => other === mark)).toHaveLength(2);
  expect(await countMarked((other) => other === mark)).toBe(0);
});

test("many sweeps at once all find nothing left", async () => {
  const marks = [newMark(), newMark(), newMark()];
  await Promise.all(marks.map((mark) => sleeper({ SIGNALBOX_MARK: mark })));
  await Promise.all(marks.map((mark) => sweepMarked((other) => other === mark)));
  expect(await countMarked((mark) => marks.includes(mark))).toBe(0);
});

test("a process never sweeps itself or its ancestors", async () => {
  const mark = newMark();
  const module = new URL("./mark-sweep.ts", import.meta.url).href;
  const script = `import { sweepMarked } from ${JSON.stringify(module)};
    const killed = await sweepMarked((other) => other === ${JSON.stringify(mark)});
    console.log(JSON.stringify([process.pid, process.ppid].map((pid) => killed.includes(pid))));`;
  const tsx = import.meta.resolve("tsx");
  const inner = JSON.stringify(["--import", tsx, "--input-type=module", "-e", script]);
  const outer = `require("node:child_process").spawn(process.execPath, ${inner}, {stdio: ["ignore", "inherit", "inherit"]})`;
  const child = spawn(process.execPath, ["-e", outer], {
    env: { SIGNALBOX_MARK: mark },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  expect({ code, output }).toEqual({ code: 0, output: "[false,false]\n" });
});

test("the listing of other systems' ps is understood", () => {
  const listing = [
    "  501     1   501 Ss   Mon Dec  1 09:08:07 2025     /usr/bin/agent --acp HOME=/Users/u SIGNALBOX_MARK=host.1 LANG=C",
    "  502   501   501 S+   Mon Dec 15 19:08:07 2025     /bin/sh",
    "  503   501   501 Z    Mon Dec 15 19:08:07 2025     (agent)",
    "",
  ].join("\n");
  expect(parsePs(listing)).toEqual([
    { pid: 501, parentPid: 1, groupId: 501, startedAt: "Mon Dec  1 09:08:07 2025", mark: "host.1" },
    { pid: 502, parentPid: 501, groupId: 501, startedAt: "Mon Dec 15 19:08:07 2025", mark: null },
  ]);
});
