import { expect, test } from "vitest";
import { eventHref, eventsHref, sequenceOf, sessionHref, sessionIdOf } from "./session-href.ts";

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

test.each(["main", "a/b", ".", "~"])(
  "an event of session %s and its stored events have pages",
  (sessionId) => {
    const event = new URL(eventHref(sessionId, 42), "http://localhost");
    expect(sequenceOf(event.searchParams.get("seq") ?? undefined)).toBe(42);
    const id = event.searchParams.get("id") ?? undefined;
    expect(sessionIdOf(event.pathname.slice("/s/".length), id)).toBe(sessionId);
    const events = new URL(eventsHref(sessionId), "http://localhost");
    expect(events.pathname).toMatch(/^\/s\/[^/]+\/events$/);
    expect(events.searchParams.get("id") ?? undefined).toBe(id);
  },
);

test.each(["", "0", "-1", "1.5", "x", "9".repeat(16), undefined, ["1", "2"]])(
  "%o asks for no event",
  (seq) => {
    expect(sequenceOf(seq)).toBeNull();
  },
);
