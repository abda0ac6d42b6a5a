import { expect, test } from "vitest";
import { sessionHref, sessionIdOf } from "./session-href.ts";

test.each(["main", "a/b", "..", ".", "100% sure?", "~", "naïve #1", "a\\b", "%2F"])(
  "the page of session %s leads back to it",
  (sessionId) => {
    const url = new URL(sessionHref(sessionId), "http://localhost");
    const segment = url.pathname.slice("/s/".length);
    expect(segment).not.toContain("/");
    expect(sessionIdOf(segment, url.searchParams.get("id") ?? undefined)).toBe(sessionId);
  },
);

test("a segment that is no encoding is no session", () => {
  expect(sessionIdOf("%E0%A4%A", undefined)).toBeNull();
});
