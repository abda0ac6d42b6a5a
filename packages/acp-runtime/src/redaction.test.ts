import { expect, test } from "vitest";
import { Redaction, SpokenRedaction } from "./redaction.ts";

const KEY = 'sk-"secret"-0123456789';
const redaction = new Redaction({ API_KEY: KEY, SHORT: "1234567" });

test("a secret is masked in text, and in JSON source where it stands escaped", () => {
  expect(redaction.text(`use ${KEY}!`)).toBe("use [redacted:API_KEY]!");
  const source = JSON.stringify({ a: `x${KEY}y`, n: 1.0 });
  expect(redaction.json(source)).toBe('{"a":"x[redacted:API_KEY]y","n":1}');
  expect(redaction.text("1234567")).toBe("1234567");
});

test("a secret spoken in pieces of any size never shows, and nothing else is lost", () => {
  const words = `before ${KEY} between sk-"sec after ${KEY}`;
  for (let size = 1; size <= words.length; size += 1) {
    const spoken = new SpokenRedaction(redaction);
    let shown = "";
    for (let at = 0; at < words.length; at += size) {
      shown += spoken.push(words.slice(at, at + size));
      expect(shown).not.toContain("secret");
    }
    expect(shown + spoken.held).toBe(
      'before [redacted:API_KEY] between sk-"sec after [redacted:API_KEY]',
    );
  }
});

test("a piece is held back only by what could begin a secret", () => {
  const spoken = new SpokenRedaction(redaction);
  expect(spoken.push("hello s")).toBe("hello ");
  expect(spoken.push("ky")).toBe("sky");
});

test("the adapter's id of the session shows as the public one", () => {
  const own = new Redaction({});
  own.replaceSessionId("0f0e8b52-aaaa-bbbb-cccc-123456789012", "main");
  expect(own.value({ a: "see 0f0e8b52-aaaa-bbbb-cccc-123456789012.jsonl" })).toEqual({
    a: "see main.jsonl",
  });
  own.replaceSessionId("s1", "main");
  expect(own.value({ id: "s1", text: "s1 is a word" })).toEqual({
    id: "main",
    text: "s1 is a word",
  });
});
