import { sessionStatusSchema } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { filterOfParams, isFiltered, paramsOfFilter, STATUSES } from "./filter-params.ts";

test("every state of a session can be chosen", () => {
  expect([...STATUSES].sort()).toEqual([...sessionStatusSchema.options].sort());
});

test("a filter survives its address", () => {
  const filter = { search: "a&b=c ü", agent: "demo", status: "waiting" } as const;
  expect(filterOfParams(new URLSearchParams(paramsOfFilter(filter)))).toEqual(filter);
});

test("an address that means nothing filters nothing", () => {
  const filter = filterOfParams(new URLSearchParams("state=odd&q=&agent="));
  expect(isFiltered(filter)).toBe(false);
  expect(paramsOfFilter(filter)).toBe("");
});
