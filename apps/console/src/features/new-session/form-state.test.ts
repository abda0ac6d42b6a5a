import { expect, test } from "vitest";
import { failureOf } from "../../lib/failure.ts";
import { checkNewSession, fieldOfFailure, openInput } from "./form-state.ts";

const FORM = {
  agent: "demo",
  sessionId: "main",
  cwd: " ",
  permissionPolicy: "ask",
  additionalInstructions: "",
} as const;

test("empty fields are omitted, so that the server's defaults hold", () => {
  expect(openInput(FORM)).toEqual({ agent: "demo", sessionId: "main", permissionPolicy: "ask" });
});

test("a bad id and a missing agent are told before the server is asked", () => {
  expect(checkNewSession(FORM)).toEqual({});
  expect(Object.keys(checkNewSession({ ...FORM, agent: "", sessionId: "a\nb" }))).toEqual([
    "agent",
    "sessionId",
  ]);
});

function refusal(appCode: string, field?: string) {
  const details = field === undefined ? null : { field };
  return failureOf({ message: "m", data: { appCode, details, retryable: false, httpStatus: 400 } });
}

test("a refusal is shown at its field, named or implied, else for the whole", () => {
  expect(fieldOfFailure(refusal("bad_request", "additionalInstructions"))).toBe(
    "additionalInstructions",
  );
  expect(fieldOfFailure(refusal("cwd_missing"))).toBe("cwd");
  expect(fieldOfFailure(refusal("session_conflict"))).toBe("sessionId");
  expect(fieldOfFailure(refusal("adapter_spawn_failed"))).toBeNull();
});
