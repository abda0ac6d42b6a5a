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

test.each([
  ["Go's encoder", '{"t":"x pa\\u0026ss/word1 y"}'],
  ["an encoder that escapes slashes", '{"t":"x pa&ss\\/word1 y"}'],
  ["an encoder that escapes anything", '{"t":"x \\u0070a\\u0026ss\\u002Fword1 y"}'],
  ["our own encoder", '{"t":"x pa&ss/word1 y"}'],
])("a secret is masked as %s spells it", (_, source) => {
  const own = new Redaction({ PASS: "pa&ss/word1" });
  expect(own.json(source)).toBe('{"t":"x [redacted:PASS] y"}');
});

test("a secret beyond ASCII is masked where it is escaped and where it is not", () => {
  const own = new Redaction({ PASS: "schlüssel😀\n" });
  expect(own.json('["schl\\u00fcssel\\ud83d\\ude00\\n"]')).toBe('["[redacted:PASS]"]');
  expect(own.json('["schlüssel😀\\n"]')).toBe('["[redacted:PASS]"]');
});

test("a secret in a key is masked", () => {
  const own = new Redaction({ PASS: "pa&ss/word1" });
  expect(own.json('{"pa\\u0026ss/word1":1.0}')).toBe('{"[redacted:PASS]":1.0}');
  expect(own.value({ "pa&ss/word1": 1 })).toEqual({ "[redacted:PASS]": 1 });
});

test("a secret is masked as it stands in JSON text, in an address and in base64", () => {
  const value = 'pa "ss"/word+1=';
  const own = new Redaction({ PASS: value });
  const forms = [
    JSON.stringify({ value }),
    `?value=${encodeURIComponent(value)}&`,
    `?${new URLSearchParams({ value })}&`,
    `Basic ${Buffer.from(value).toString("base64")}`,
    `Basic ${Buffer.from(value).toString("base64url")}`,
  ];
  for (const form of forms) {
    expect(own.text(form), form).toContain("[redacted:PASS]");
    expect(own.json(JSON.stringify({ form })), form).toContain("[redacted:PASS]");
  }
});

test("a secret that no address can hold is masked as it is", () => {
  const value = "lone\ud800surrogate";
  expect(new Redaction({ PASS: value }).text(`<${value}>`)).toBe("<[redacted:PASS]>");
});

test("a secret of digits leaves numbers as they are and is masked in strings", () => {
  const own = new Redaction({ ACCOUNT: "12345678" });
  expect(own.json('{"used": 12345678, "of":"no. 12345678","n":1.0}')).toBe(
    '{"used": 12345678, "of":"no. [redacted:ACCOUNT]","n":1.0}',
  );
  expect(own.value({ used: 12345678, of: "12345678" })).toEqual({
    used: 12345678,
    of: "[redacted:ACCOUNT]",
  });
});

test("a secret that would span an escape or two strings leaves the source as it is", () => {
  const own = new Redaction({ A: "name is x", B: "\\,1,\\" });
  for (const source of ['["\\name is x"]', '["\\\\",1,"\\\\"]'])
    expect(own.json(source)).toBe(source);
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

test("every id that the adapter had of the session shows as the public one", () => {
  const own = new Redaction({});
  const old = "0f0e8b52-aaaa-bbbb-cccc-123456789012";
  own.replaceSessionId(old, "main");
  own.replaceSessionId(`${old}-2`, "main");
  own.replaceSessionId("s1", "main");
  own.replaceSessionId("", "main");
  expect(own.text(`${old} became ${old}-2`)).toBe("main became main");
  expect(own.json(`["${old}","see ${old}-2.jsonl","s1","s1 too",""]`)).toBe(
    '["main","see main.jsonl","main","s1 too",""]',
  );
  expect(own.json('["\\u00731"]')).toBe('["main"]');
});
