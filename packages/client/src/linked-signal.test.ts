import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { LinkedSignal } from "./linked-signal.ts";

test("many that follow one signal cost it one listener, and none when they are gone", () => {
  const source = new AbortController();
  const linked = Array.from({ length: 100 }, () => new LinkedSignal(source.signal));
  expect(getEventListeners(source.signal, "abort")).toHaveLength(1);
  for (const each of linked) each[Symbol.dispose]();
  expect(getEventListeners(source.signal, "abort")).toHaveLength(0);
});

test("each follower is aborted with the reason of the first of its signals", () => {
  const [one, two] = [new AbortController(), new AbortController()];
  using both = new LinkedSignal(one.signal, undefined, two.signal);
  using first = new LinkedSignal(one.signal);
  const gone = new LinkedSignal(two.signal);
  gone[Symbol.dispose]();
  two.abort("second");
  one.abort("first");
  expect(both.signal.reason).toBe("second");
  expect(first.signal.reason).toBe("first");
  expect(gone.signal.aborted).toBe(false);
  using late = new LinkedSignal(two.signal);
  expect(late.signal.reason).toBe("second");
});
