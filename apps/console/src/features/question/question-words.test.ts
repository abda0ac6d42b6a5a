import { expect, test } from "vitest";
import { linkFacts, questionEndWords } from "./question-words.ts";

test("an end says who answered how, or why nobody did", () => {
  const resolvedBy = { kind: "token", name: "console" };
  const ended = { status: "accepted", action: "decline", reason: null, resolvedBy };
  expect(questionEndWords(ended)).toBe("Declined by console");
  const lost = { status: "not_pending", action: "cancel", reason: "turn_ended", resolvedBy: null };
  expect(questionEndWords(lost)).toMatch(/ended its turn/);
});

test.each([
  ["https://example.org/a?b=c", "example.org", true, null],
  ["https://accounts.example@evil.example/", "evil.example", true, /leads to evil\.example/],
  ["https://аpple.com/", "xn--pple-43d.com", true, /another script/],
  ["http://127.0.0.1:8080/", "127.0.0.1:8080", true, /not encrypted/],
  ["javascript:alert(1)", "", false, /not opened/],
  ["file:///etc/passwd", "", false, /not opened/],
  ["nowhere", "", false, /not an address/],
])("%s leads to %s", (url, host, isWeb, warning) => {
  const facts = linkFacts(url);
  expect(facts).toMatchObject({ host, isWeb });
  expect(facts.warning ?? "none").toMatch(warning ?? /^none$/);
});
