import { expect, test } from "vitest";
import { attemptFor, type Draft, readDraft, writeDraft } from "./draft.ts";

function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test("the same text is sent again under the same key, another text under another", () => {
  const draft: Draft = { text: "", attempt: { key: "k1", text: "hello" } };
  expect(attemptFor(draft, "hello", () => "k2").key).toBe("k1");
  expect(attemptFor(draft, "hello!", () => "k2").key).toBe("k2");
});

test("a draft comes back for its own session only, and an empty one leaves nothing", () => {
  const storage = memory();
  const draft: Draft = { text: "hi", attempt: { key: "k", text: "hi" } };
  writeDraft(storage, "a", draft);
  expect(readDraft(storage, "a")).toEqual(draft);
  expect(readDraft(storage, "b").text).toBe("");
  writeDraft(storage, "a", { text: "", attempt: null });
  expect(storage.values.size).toBe(0);
});

test.each(["{", "null", '{"text":1}', '{"text":"a","attempt":{}}'])(
  "what is not a draft reads as none: %s",
  (stored) => {
    expect(readDraft({ getItem: () => stored }, "a").text).toBe("");
  },
);
