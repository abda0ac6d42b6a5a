import { expect, test } from "vitest";
import { PendingRequests } from "./pending-requests.ts";

test("a signal shared by many requests is let go of by each", async () => {
  const abort = new AbortController();
  let listeners = 0;
  const { signal } = abort;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.assign(signal, {
    addEventListener: (...all: Parameters<typeof add>) => {
      listeners += 1;
      add(...all);
    },
    removeEventListener: (...all: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...all);
    },
  });
  const requests = new PendingRequests(() => () => {});
  const all = Promise.allSettled([
    requests.start("answered", {}, { signal }),
    requests.start("failed", {}, { signal }),
    requests.start("late", {}, { signal, timeoutMs: 1 }),
    requests.start("closed", {}, { signal }),
  ]);
  expect(listeners).toBe(4);
  requests.settle({ id: 1, result: 1 });
  requests.settle({ id: 2, error: { code: 1, message: "no" } });
  await expect.poll(() => listeners).toBe(1);
  requests.rejectAll(null);
  expect(await all).toMatchObject([
    { value: 1 },
    { reason: { rpcCode: 1 } },
    { reason: { code: "adapter_timeout" } },
    { reason: { name: "WireClosedError" } },
  ]);
  expect(listeners).toBe(0);
});
