import { AppError } from "@signalbox/protocol";
import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { toAppError } from "./error-map.ts";

const thrown = (cause: Error) =>
  toAppError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause })).toData();

test("storage that fails under a procedure has its code, whoever asked it", () => {
  const prisma = Object.assign(new Error("Invalid `prisma.session.count()`"), { code: "P2028" });
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  const storage = { retryable: true, httpStatus: 503, details: null };
  expect(thrown(prisma)).toEqual({ ...storage, appCode: "storage_busy" });
  expect(thrown(full)).toMatchObject({ httpStatus: 503, appCode: "storage_full" });
  expect(toAppError(full)).toMatchObject({ code: "storage_full" });
});

test("an expected failure is told as it is, a bug without its text", () => {
  const error = new AppError("session_busy", "running", { details: { promptId: "p" } });
  expect(thrown(error)).toEqual(error.toData());
  const bug = toAppError(
    new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: new Error("s3cret") }),
  );
  expect(bug).toMatchObject({ code: "internal", message: "internal error" });
});
