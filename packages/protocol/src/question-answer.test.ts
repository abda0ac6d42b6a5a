import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "./json.ts";
import { checkAnswer, type MatchesPattern } from "./question-answer.ts";
import { readForm } from "./question-form.ts";

function check(schema: JsonObject, content: JsonObject, matches: MatchesPattern = () => false) {
  const fields = readForm(schema);
  if (fields === null) throw new Error("not a form");
  return checkAnswer(fields, content, matches);
}

const problemsOf = (property: JsonObject, value: JsonValue) =>
  check({ properties: { x: property } }, { x: value }).problems;

const TITLED = {
  oneOf: [
    { const: "a", title: "A" },
    { const: "b", title: "B" },
  ],
};
const MANY = { type: "array", items: { type: "string", enum: ["a", "b", "c"] } };

test.each<[JsonObject, JsonValue]>([
  [{ type: "string" }, ""],
  [{ type: "string", minLength: 1, maxLength: 1 }, "😀"],
  [{ type: "string", format: "email" }, "ada@example.org"],
  [{ type: "string", format: "uri" }, "https://example.org/a?b"],
  [{ type: "string", format: "date" }, "2024-02-29"],
  [{ type: "string", format: "date-time" }, "2026-12-01T04:00:00.5+02:00"],
  [{ type: "string", format: "not-known" }, "anything"],
  [{ type: "string", enum: ["a", "b"] }, "b"],
  [{ type: "string", ...TITLED }, "a"],
  [{ type: "number", minimum: 0.5 }, 0.5],
  [{ type: "integer", maximum: 3 }, 3],
  [{ type: "boolean" }, false],
  [MANY, []],
  [{ ...MANY, minItems: 1, maxItems: 2 }, ["a", "c"]],
  [{ type: "array", items: { anyOf: TITLED.oneOf } }, ["b"]],
  [{ type: "string", minLength: null, pattern: null, enum: null }, "x"],
  [{ type: "matrix" }, 3],
  [{ type: "array", items: { type: "matrix" } }, ["x"]],
])("%j takes %j", (property, value) => {
  expect(problemsOf(property, value)).toEqual([]);
});

test.each<[JsonObject, JsonValue]>([
  [{ type: "string" }, 1],
  [{ type: "string" }, null],
  [{ type: "string", minLength: 2 }, "😀"],
  [{ type: "string", maxLength: 1 }, "ab"],
  [{ type: "string", format: "email" }, "ada@"],
  [{ type: "string", format: "email" }, "a b@example.org"],
  [{ type: "string", format: "email" }, "ada@example..org"],
  [{ type: "string", format: "uri" }, "example"],
  [{ type: "string", format: "date" }, "2023-02-29"],
  [{ type: "string", format: "date" }, "1.2.2023"],
  [{ type: "string", format: "date-time" }, "2026-12-01T04:00:00"],
  [{ type: "string", format: "date-time" }, "2026-12-01T24:00:00Z"],
  [{ type: "string", enum: ["a", "b"] }, "c"],
  [{ type: "string", ...TITLED }, "A"],
  [{ type: "string", pattern: "x" }, "y"],
  [{ type: "number" }, "1"],
  [{ type: "number", minimum: 0.5 }, 0.4],
  [{ type: "integer" }, 1.5],
  [{ type: "integer", maximum: 3 }, 4],
  [{ type: "boolean" }, "true"],
  [MANY, "a"],
  [MANY, ["d"]],
  [MANY, ["a", "a"]],
  [{ ...MANY, minItems: 1 }, []],
  [{ ...MANY, maxItems: 1 }, ["a", "b"]],
  [{ type: "matrix" }, { a: 1 }],
])("%j refuses %j and names the field", (property, value) => {
  expect(problemsOf(property, value)).toMatchObject([{ field: "x" }]);
});

test("a pattern that cannot be told refuses nothing", () => {
  const schema = { properties: { x: { type: "string", pattern: "(?=x)" } } };
  expect(check(schema, { x: "y" }, () => null).problems).toEqual([]);
});

describe("what is left out", () => {
  const schema: JsonObject = {
    properties: {
      name: { type: "string" },
      colour: { type: "string", enum: ["red", "blue"], default: "blue" },
      tags: { ...MANY, default: ["a"] },
      note: { type: "string", default: "unless you say otherwise" },
    },
    required: ["name", "colour", "tags"],
  };

  test("takes its default where it is required, and stays out where it is not", () => {
    const { content, problems } = check(schema, { name: "Ada" });
    expect(problems).toEqual([]);
    expect(content).toEqual({ name: "Ada", colour: "blue", tags: ["a"] });
  });

  test("is missed where it is required and has no default", () => {
    expect(check(schema, {}).problems).toEqual([{ field: "name", problem: "must be answered" }]);
  });
});

test("an answer to what was not asked is refused, names of every object included", () => {
  const { problems } = check({ properties: {} }, { toString: "x", constructor: "y" });
  expect(problems.map(({ field }) => field)).toEqual(["toString", "constructor"]);
  expect(check({ properties: { toString: { type: "string" } } }, {}).problems).toEqual([]);
});

test.each<[string, JsonObject]>([
  ["another type than object", { type: "array" }],
  ["a field that is no object", { properties: { x: "string" } }],
  ["a field without a type", { properties: { x: {} } }],
  ["a length that is text", { properties: { x: { type: "string", minLength: "1" } } }],
  ["choices that are numbers", { properties: { x: { type: "string", enum: [1] } } }],
  ["a list of free texts", { properties: { x: { type: "array", items: { type: "string" } } } }],
  ["a required field that is not there", { properties: {}, required: ["x"] }],
])("a schema with %s is no form", (_what, schema) => {
  expect(readForm(schema)).toBeNull();
});

test("a default that does not fit its field is none", () => {
  const properties = {
    a: { type: "string", default: 1 },
    b: { type: "string", enum: ["x"], default: "y" },
    c: { type: "integer", default: 1.5 },
    d: { ...MANY, default: ["a", "z"] },
    e: { type: "boolean", default: "true" },
  };
  const initial = readForm({ properties })?.map(({ control }) => control.initial);
  expect(initial).toEqual([null, null, null, ["a"], null]);
});
