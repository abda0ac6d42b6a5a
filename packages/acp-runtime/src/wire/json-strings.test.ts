import type { JsonObject, JsonValue } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { randomObject, randomText, seededRandom } from "../testing/random-json.ts";
import {
  changeJsonStrings,
  changeStrings,
  hasFreeSpelling,
  jsonStringEnd,
  plainSpelling,
} from "./json-strings.ts";

const keep = (text: string): string => text;
const mark = (text: string): string => text.replaceAll("a", "<A\n>");

/** `source` with its strings spelled as other encoders may spell them. */
function respelled(source: string, random: () => number): string {
  return source.replace(/"(?:[^"\\]|\\.)*"/g, (token) => {
    const text: string = JSON.parse(token);
    const spelled = text.split("").map((unit) => {
      if (random() < 0.3) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      return JSON.stringify(unit).slice(1, -1);
    });
    return `"${spelled.join("")}"`;
  });
}

test("only the strings that change are spelled anew", () => {
  const source =
    '{ "n" : 1.0,\t"10":1e400,"b":"\\u0026 \\/ x","a\\/":["\\u0061",12345678901234567890 ],"2":{}}';
  expect(changeJsonStrings(source, keep)).toBe(source);
  expect(changeJsonStrings(source, (text) => text.replace("a", "A"))).toBe(
    '{ "n" : 1.0,\t"10":1e400,"b":"\\u0026 \\/ x","A/":["A",12345678901234567890 ],"2":{}}',
  );
});

test("any source, however it is spelled, gives what its parsed value gives", () => {
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = seededRandom(seed);
    const plain = JSON.stringify(randomObject(random));
    const source = respelled(plain, random);
    const value: JsonObject = JSON.parse(source);
    const fromSource = JSON.stringify(JSON.parse(changeJsonStrings(source, mark)));
    const fromValue = JSON.stringify(changeStrings(value, mark));
    if (fromSource !== fromValue) expect.fail(`seed ${seed}: ${source}`);
    if (changeJsonStrings(source, keep) !== source) expect.fail(`seed ${seed}: ${source}`);
  }
});

test("a value without a change is the very same, one with a change is another", () => {
  const value: JsonValue = { x: ["b", null, { y: 1.5 }] };
  expect(changeStrings(value, mark)).toBe(value);
  const changed = changeStrings({ a: ["a", 2] }, mark);
  expect(changed).toEqual({ "<A\n>": ["<A\n>", 2] });
  expect(changeStrings("a", mark)).toBe("<A\n>");
});

test("a key named __proto__ is kept as a key", () => {
  const value: JsonObject = JSON.parse('{"__proto__":{"k":"a"}}');
  expect(JSON.stringify(changeStrings(value, mark))).toBe('{"__proto__":{"k":"<A\\n>"}}');
});

test("values nested 20,000 deep are changed without recursion", () => {
  const deep = (text: string): string =>
    `${'{"k":['.repeat(20_000)}"${text}"${"]}".repeat(20_000)}`;
  expect(changeJsonStrings(deep("b"), (text) => text.replace("b", "c"))).toBe(deep("c"));
  let inner = changeStrings(JSON.parse(deep("b")), (text) => text.replace("b", "c"));
  while (typeof inner === "object" && inner !== null) inner = Object.values(inner)[0] ?? null;
  expect(inner).toBe("c");
});

test("source without a free spelling spells a text in the plain way", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const text = randomText(seededRandom(seed));
    const source = JSON.stringify(text);
    if (!hasFreeSpelling(source)) expect(source).toBe(`"${plainSpelling(text)}"`);
  }
  for (const source of ['"\\u0061"', '"\\/"']) expect(hasFreeSpelling(source)).toBe(true);
});

test("a string ends at its first quote that is not escaped", () => {
  expect(jsonStringEnd('"a\\\\"b"', 0)).toBe(5);
  expect(jsonStringEnd('"a\\"b"', 0)).toBe(6);
  expect(jsonStringEnd('{"":1}', 1)).toBe(3);
});
