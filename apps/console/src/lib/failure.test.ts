import { expect, test } from "vitest";
import { failureOf } from "./failure.ts";

test("what the server said is read with its code, its field and whether to try again", () => {
  const error = Object.assign(new Error("cwd does not exist"), {
    data: { appCode: "cwd_missing", details: { field: "cwd" }, retryable: false, httpStatus: 400 },
  });
  expect(failureOf(error)).toEqual({
    appCode: "cwd_missing",
    message: "cwd does not exist",
    details: { field: "cwd" },
    retryable: false,
    httpStatus: 400,
    field: "cwd",
  });
});

test("an answer that never came says so in words", () => {
  const failure = failureOf(new TypeError("Failed to fetch"));
  expect(failure.appCode).toBeNull();
  expect(failure.message).toBe("The Signalbox server did not answer.");
  expect(failure.retryable).toBe(true);
});

test("a code that this console does not know is not taken for one it does", () => {
  const error = Object.assign(new Error("odd"), { data: { appCode: "toString" } });
  expect(failureOf(error).appCode).toBeNull();
});
