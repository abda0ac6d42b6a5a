import { expect, test } from "vitest";
import { newEventsOf, readSeen, withSeen } from "./last-seen.ts";

const session = { sessionId: "a", createdAt: "t1", latestSequence: 10 };

test("what came since the session was read is new; of one never read nothing is", () => {
  const seen = withSeen({}, session);
  expect(newEventsOf(session, {})).toBe(0);
  expect(newEventsOf(session, seen)).toBe(0);
  expect(newEventsOf({ ...session, latestSequence: 13 }, seen)).toBe(3);
});

test("an id that was opened anew has nothing to do with the one before", () => {
  const seen = withSeen({}, session);
  expect(newEventsOf({ ...session, createdAt: "t2", latestSequence: 20 }, seen)).toBe(0);
});

test("reading older events takes nothing back, and changes nothing", () => {
  const seen = withSeen({}, session);
  expect(withSeen(seen, { ...session, latestSequence: 5 })).toBe(seen);
});

test("the sessions read longest ago are forgotten", () => {
  let seen = {};
  for (let index = 0; index < 510; index += 1) {
    seen = withSeen(seen, { ...session, sessionId: `s${index}` });
  }
  expect(Object.keys(seen)).toHaveLength(500);
  expect(Object.keys(seen)[0]).toBe("s10");
});

test.each([null, "", "[]", "7", "no JSON", '{"a":{"sequence":"1"}}'])(
  "%s is read as nothing",
  (text) => {
    expect(readSeen(text)).toEqual({});
  },
);

test("names of every object are ids like others", () => {
  expect(newEventsOf({ ...session, sessionId: "constructor" }, {})).toBe(0);
});
