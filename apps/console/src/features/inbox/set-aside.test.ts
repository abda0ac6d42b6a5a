import { expect, test } from "vitest";
import type { FailureEntry, QuestionEntry } from "./inbox-entry.ts";
import { bringBack, isAside, putOff, RETURN_MS, readPutOffs } from "./set-aside.ts";

const question = {
  kind: "question",
  id: "q",
  version: "1",
  sessionId: "a",
  since: "",
} as QuestionEntry;
const failure = {
  kind: "failure",
  id: "failure a",
  version: "7",
  sessionId: "a",
  since: "",
} as FailureEntry;

test("a request that was put off comes back after its time", () => {
  const putOffs = putOff({}, question, 1_000);
  expect(isAside(question, putOffs, 1_000 + RETURN_MS - 1)).toBe(true);
  expect(isAside(question, putOffs, 1_000 + RETURN_MS)).toBe(false);
});

test("a failure stays aside until something new happened in its session", () => {
  const putOffs = putOff({}, failure, 0);
  expect(isAside(failure, putOffs, 100 * RETURN_MS)).toBe(true);
  expect(isAside({ ...failure, version: "8" }, putOffs, 0)).toBe(false);
});

test("an entry is brought back alone", () => {
  const putOffs = bringBack(putOff(putOff({}, question, 0), failure, 0), question);
  expect(isAside(question, putOffs, 0)).toBe(false);
  expect(isAside(failure, putOffs, 0)).toBe(true);
});

test("marks of long ago are forgotten", () => {
  const putOffs = putOff(putOff({}, failure, 0), question, 31 * 24 * 60 * 60_000);
  expect(Object.keys(putOffs)).toEqual(["q"]);
});

test.each([null, "", "no JSON", "[]", '"x"', '{"q":1,"r":{"version":1,"atMs":2}}'])(
  "what is stored as %s is read as nothing put off",
  (text) => {
    expect(readPutOffs(text)).toEqual({});
  },
);

test("what was stored is read again", () => {
  const putOffs = putOff({}, question, 5);
  expect(readPutOffs(JSON.stringify(putOffs))).toEqual(putOffs);
});
