import { AppError } from "@signalbox/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WaitingRoom } from "./waiting-room.ts";

const MAX = 6;
const PATIENCE_MS = 4_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function room() {
  const refused: string[] = [];
  const waiting = new WaitingRoom<string>({
    what: "sockets",
    max: MAX,
    patienceMs: PATIENCE_MS,
    refuse: (one) => refused.push(one),
  });
  const enter = (name: string, address: string): boolean => {
    try {
      waiting.makePlace(address);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: "rate_limited", retryable: true });
      return false;
    }
    waiting.add(name, address);
    return true;
  };
  const fill = (address: string) =>
    Array.from({ length: MAX }, (_, n) => enter(`${address}${n}`, address));
  return { waiting, refused, enter, fill };
}

test("nobody waits longer than the patience lasts, and who has left is not refused", () => {
  const { waiting, refused, fill } = room();
  fill("a");
  waiting.leave("a2");
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(refused).toEqual(["a0", "a1", "a3", "a4", "a5"]);
});

test("one that came keeps its place for a while, however many come after it", () => {
  const { refused, enter, fill } = room();
  expect(fill("a")).not.toContain(false);
  for (let n = 0; n < 10_000; n += 1) expect(enter(`more${n}`, "a")).toBe(false);
  expect(refused).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(enter("later", "a")).toBe(true);
  expect(refused).toEqual(["a0"]);
});

test("another address always gets its share, at the cost of the one that has most", () => {
  const { refused, enter, fill } = room();
  fill("a");
  expect([enter("b0", "b"), enter("b1", "b"), enter("c0", "c")]).toEqual([true, true, true]);
  expect(refused).toEqual(["a0", "a1", "a2"]);
  expect(enter("a6", "a")).toBe(false);
  expect(enter("b2", "b")).toBe(false);
});

test("one that has said something keeps its place until that was looked at", () => {
  const { waiting, refused, enter, fill } = room();
  fill("a");
  for (let n = 1; n < MAX; n += 1) waiting.hear(`a${n}`);
  vi.advanceTimersByTime(2_000);
  expect(enter("b", "b")).toBe(true);
  expect(refused).toEqual(["a0"]);
  waiting.hear("b");
  vi.advanceTimersByTime(1_000);
  expect(enter("c", "c")).toBe(false);
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(refused).toHaveLength(1 + MAX);
});
