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
  const answered = requests.start("answered", {}, { signal });
  const failed = requests.start("failed", {}, { signal });
  const late = requests.start("late", {}, { signal, timeoutMs: 1 });
  const closed = requests.start("closed", {}, { signal });
  expect(listeners).toBe(4);
  requests.settle({ id: 1, result: 1 });
  requests.settle({ id: 2, error: { code: 1, message: "no" } });
  await expect(late).rejects.toMatchObject({ code: "adapter_timeout" });
  requests.rejectAll(null);
  expect(await answered).toBe(1);
  await expect(failed).rejects.toMatchObject({ rpcCode: 1 });
  await expect(closed).rejects.toMatchObject({ name: "WireClosedError" });
  expect(listeners).toBe(0);
});
