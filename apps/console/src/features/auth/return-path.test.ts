import { expect, test } from "vitest";
import { loginHref, returnPath } from "./return-path.ts";

const ORIGIN = "http://127.0.0.1:4170";

test("a login leads back to the page that asked for it", () => {
  const next = new URL(loginHref("/s/a%2Fb?seq=4"), ORIGIN).searchParams.get("next");
  expect(returnPath(next, ORIGIN)).toBe("/s/a%2Fb?seq=4");
});

test.each([
  null,
  "",
  "//evil.example/x",
  "/\\evil.example",
  "https://evil.example",
  "/login?x",
  "x",
])("a login does not lead to %s", (next) => {
  expect(returnPath(next, ORIGIN)).toBe("/");
});
