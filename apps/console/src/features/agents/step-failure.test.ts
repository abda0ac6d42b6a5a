import { expect, test } from "vitest";
import { stepFailure } from "./step-failure.ts";

test("a failed step says what happened and what is known of it", () => {
  expect(
    stepFailure({
      appCode: "adapter_spawn_failed",
      details: { phase: "initialize", exitCode: 127, signal: null, stderrTail: "" },
    }),
  ).toBe("It could not be started, or ended before it answered. (exit code 127)");
  expect(
    stepFailure({ appCode: "adapter_timeout", details: { phase: "session/new", max: 30_000 } }),
  ).toBe("It did not answer in time. (after 30 s)");
  expect(
    stepFailure({
      appCode: "adapter_protocol_error",
      details: { method: "session/new", rpcCode: -32603, rpcMessage: "no model" },
    }),
  ).toBe("It answered with an error. (no model)");
});

test("a code that has no words of its own is a failure all the same", () => {
  expect(stepFailure({ appCode: "storage_full", details: null })).toBe("It failed.");
});
