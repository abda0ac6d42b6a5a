import { expect, test } from "vitest";
import { orderedId } from "./ordered-id.ts";

test("ids sort in the order they were made, however fast", () => {
  const ids = Array.from({ length: 20_000 }, orderedId);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
