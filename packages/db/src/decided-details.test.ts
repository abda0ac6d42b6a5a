import { expect, test } from "vitest";
import { decidedDetails } from "./decided-details.ts";

const options = [
  { optionId: "yes", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

test("the chosen option stands with its name and kind, beside what it was about", () => {
  expect(decidedDetails({ toolCall: { title: "Run tests" }, options, optionId: "no" })).toEqual({
    optionId: "no",
    optionName: "Reject",
    optionKind: "reject_once",
    title: "Run tests",
  });
});

test("an action without a title, and an option that is not among the offered, are told as they are", () => {
  expect(decidedDetails({ toolCall: { title: 7 }, options, optionId: "gone" })).toEqual({
    optionId: "gone",
  });
});

test("a long text is cut between characters", () => {
  const { title } = decidedDetails({
    toolCall: { title: "🙂".repeat(1_000) },
    options,
    optionId: "yes",
  });
  expect(title).toBe(`${"🙂".repeat(299)}…`);
});
