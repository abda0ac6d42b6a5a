import { expect, test } from "vitest";
import { LineQueue } from "./line-queue.ts";

/** A pipe that takes one line at a time, when told to. */
function slowPipe() {
  const written: string[] = [];
  let release = (): void => {};
  const write = (line: string): Promise<void> => {
    written.push(line);
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  return { written, write, release: () => release() };
}

test("an urgent line overtakes all that wait, not the one being written", async () => {
  const pipe = slowPipe();
  const queue = new LineQueue(pipe.write);
  queue.push("prompt");
  queue.push("second");
  queue.pushUrgent("cancel");
  for (let count = 1; count <= 3; count += 1) {
    await expect.poll(() => pipe.written.length).toBe(count);
    pipe.release();
  }
  expect(pipe.written).toEqual(["prompt", "cancel", "second"]);
});

test("a line that was taken back is never written", async () => {
  const pipe = slowPipe();
  const queue = new LineQueue(pipe.write);
  queue.push("first");
  const withdraw = queue.push("second");
  queue.push("third");
  withdraw();
  pipe.release();
  await expect.poll(() => pipe.written).toEqual(["first", "third"]);
  pipe.release();
});

test("a failed write settles every waiting line with its reason, and later ones at once", async () => {
  const broken = new Error("EPIPE");
  const queue = new LineQueue(() => Promise.reject(broken));
  const reasons: unknown[] = [];
  for (let count = 0; count < 3; count += 1) queue.push("line", (error) => reasons.push(error));
  await expect.poll(() => reasons).toEqual([broken, broken, broken]);
  queue.push("late", (error) => reasons.push(error));
  expect(reasons).toHaveLength(4);
});

test("10,000 lines keep their order", async () => {
  const written: string[] = [];
  const queue = new LineQueue(async (line) => void written.push(line));
  const lines = Array.from({ length: 10_000 }, (_, index) => String(index));
  for (const line of lines) queue.push(line);
  await expect.poll(() => written.length).toBe(10_000);
  expect(written).toEqual(lines);
});
