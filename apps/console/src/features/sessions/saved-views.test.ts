import { expect, test } from "vitest";
import { MAX_VIEWS, readViews, type SavedView, withoutView, withView } from "./saved-views.ts";

const failed: SavedView = { name: "Failed", params: "?state=failed" };

test("a name stands once, and the newest of it counts", () => {
  const views = withView(withView([], failed), { name: " Failed ", params: "?q=x" });
  expect(views).toEqual([{ name: "Failed", params: "?q=x" }]);
  expect(withoutView(views, "Failed")).toEqual([]);
});

test("a view without a name is none, and of too many the oldest goes", () => {
  expect(withView([failed], { name: "  ", params: "?q=x" })).toEqual([failed]);
  let views: readonly SavedView[] = [];
  for (let index = 0; index <= MAX_VIEWS; index += 1) {
    views = withView(views, { name: `v${index}`, params: "?q=x" });
  }
  expect([views.length, views[0]?.name]).toEqual([MAX_VIEWS, "v1"]);
});

test.each([null, "", "{}", "no JSON", '[1,{"name":"x"},{"name":"x","params":"javascript:"}]'])(
  "%s is read as no view",
  (text) => {
    expect(readViews(text)).toEqual([]);
  },
);

test("what was stored is read again", () => {
  expect(readViews(JSON.stringify([failed]))).toEqual([failed]);
});
