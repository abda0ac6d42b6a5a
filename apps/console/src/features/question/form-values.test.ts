import { type FormField, type JsonObject, readForm } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { answerOf, initialValues, problemsOf } from "./form-values.ts";

function fieldsOf(properties: JsonObject, required: string[] = []): FormField[] {
  const fields = readForm({ properties, required });
  if (fields === null) throw new Error("not a form");
  return fields;
}

const SOME = fieldsOf(
  {
    name: { type: "string" },
    size: { type: "string", enum: ["s", "m"], default: "m" },
    count: { type: "integer", default: 2 },
    loud: { type: "boolean", default: true },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["b"] },
    quiet: { type: "boolean" },
  },
  ["name"],
);

test("inputs begin with the agent's defaults, and untouched ones are sent as they stand", () => {
  const values = initialValues(SOME);
  expect(values).toEqual({
    name: "",
    size: "m",
    count: "2",
    loud: true,
    tags: ["b"],
    quiet: null,
  });
  const { content, problems } = answerOf(SOME, { ...values, name: "Ada" });
  expect(problems).toEqual([]);
  expect(content).toEqual({ name: "Ada", size: "m", count: 2, loud: true, tags: ["b"] });
});

test("a default that someone has emptied does not come back unseen", () => {
  const fields = fieldsOf({ size: { type: "string", default: "m" } }, ["size"]);
  expect(answerOf(fields, { size: "" }).problems).toEqual([
    { field: "size", problem: "must be answered" },
  ]);
  const optional = fieldsOf({ size: { type: "string", default: "m" } });
  expect(answerOf(optional, { size: "" })).toEqual({ content: {}, problems: [] });
});

test("an empty box that must be answered says no; one that need not says nothing", () => {
  const box = { box: { type: "boolean" } };
  expect(answerOf(fieldsOf(box, ["box"]), { box: null }).content).toEqual({ box: false });
  expect(answerOf(fieldsOf(box), { box: null }).content).toEqual({});
});

test.each(["two", "1.5", "Infinity", "0x"])("the number %s is a problem of its field", (text) => {
  const fields = fieldsOf({ n: { type: "integer" } });
  expect(answerOf(fields, { n: text }).problems).toMatchObject([{ field: "n" }]);
});

test("patterns of agents are not run in the browser", () => {
  const fields = fieldsOf({ x: { type: "string", pattern: "^(a+)+$" } });
  expect(answerOf(fields, { x: `${"a".repeat(60)}b` }).problems).toEqual([]);
});

test("the server's words are read by field, and nonsense is none", () => {
  const problem = { field: "x", problem: "must match ^a$" };
  expect(problemsOf({ problems: [problem, null, 7, { field: 1 }] })).toEqual([problem]);
  expect(problemsOf({ problems: "x" })).toEqual([]);
  expect(problemsOf(null)).toEqual([]);
});
