import type { JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { pick, randomObject, seededRandom } from "../testing/random-json.ts";
import { jsonSlice } from "./json-slice.ts";

const SPACES = ["", " ", "\t", "\r\n", "  "] as const;

/** The same value as `JSON.stringify` gives, with white space wherever JSON allows it. */
function spaced(value: unknown, space: () => string): string {
  const pad = (text: string): string => `${space()}${text}${space()}`;
  if (Array.isArray(value)) return `[${value.map((item) => pad(spaced(item, space))).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${pad(JSON.stringify(key))}:${pad(spaced(item, space))}`,
    );
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

test("a slice of any member parses to what the whole has there", () => {
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = seededRandom(seed);
    const text = spaced(randomObject(random), () => pick(random, SPACES));
    const parsed: JsonObject = JSON.parse(text);
    for (const key of Object.keys(parsed)) {
      const slice = jsonSlice(text, [key]) ?? "";
      // Compared as text: asking for equality a hundred thousand times is what takes long.
      const isSame = JSON.stringify(JSON.parse(slice)) === JSON.stringify(parsed[key]);
      if (!isSame || slice !== slice.trim()) expect.fail(`seed ${seed}: ${key} in ${text}`);
    }
    expect(jsonSlice(text, [])).toBe(text.trim());
  }
});

test.each([
  [
    '{"params":{"update":{"n": 1.0, "m":9007199254740993,"10":1,"9":2}}}',
    '{"n": 1.0, "m":9007199254740993,"10":1,"9":2}',
  ],
  ['{"params":{"update":1e400}}', "1e400"],
  ['{"params" : { "x":"}{][\\"" , "update" :\t"a\\\\" } }', '"a\\\\"'],
  ['{"params":{"update":"a\\\\\\"b","z":1}}', '"a\\\\\\"b"'],
  ['{"params":{"update":true}}', "true"],
  ['{"params":{"update":[] }}', "[]"],
])("%s holds exactly %s", (text, expected) => {
  expect(jsonSlice(text, ["params", "update"])).toBe(expected);
});

test("of a key given twice the last counts, as for the parser", () => {
  const text = '{"params":{"update":1},"params":{"update":2,"update":3}}';
  expect(JSON.parse(text).params.update).toBe(3);
  expect(jsonSlice(text, ["params", "update"])).toBe("3");
});

test("a key is the same however it is spelled", () => {
  expect(jsonSlice('{"\\u0075pdate":1}', ["update"])).toBe("1");
  expect(jsonSlice('{"a\\\\b":1}', ["a\\b"])).toBe("1");
  expect(jsonSlice('{"a\\b":1}', ["a\\b"])).toBeUndefined();
  expect(jsonSlice('{"":1}', [""])).toBe("1");
});

test("what is not there is undefined", () => {
  for (const text of [
    "{}",
    '{"params":{}}',
    '{"params":[{"update":1}]}',
    '{"params":"update"}',
    "3",
  ]) {
    expect(jsonSlice(text, ["params", "update"])).toBeUndefined();
  }
});

test("values nested 20,000 deep are found without recursion", () => {
  const deep = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;
  expect(jsonSlice(`{"x":${deep},"params":{"update":${deep}}}`, ["params", "update"])).toBe(deep);
});
