import { describe, expect, test } from "vitest";
import { kindWords, outcomeWords, reasonWords } from "./permission-words.ts";

const REASONS = [
  "already_resolved",
  "prompt_cancelled",
  "adapter_exited",
  "session_deleted",
  "session_unloaded",
  "turn_ended",
  "server_stopped",
  "server_restarted",
  "request_not_found",
];

describe("kinds", () => {
  test("only lasting choices ask for a second press", () => {
    const asking = ["allow_once", "allow_always", "reject_once", "reject_always", "sudo"].filter(
      (kind) => kindWords(kind).confirmWords !== null,
    );
    expect(asking).toEqual(["allow_always", "reject_always"]);
  });

  test("an unknown kind takes no side, even one that sounds like allowing", () => {
    expect(kindWords("allow_everything")).toMatchObject({
      tone: "neutral",
      words: "kind “allow_everything”",
    });
    expect(kindWords("escalate_always").confirmWords).not.toBeNull();
  });

  test("names of object members are unknown kinds like any other", () => {
    expect(kindWords("constructor").tone).toBe("neutral");
  });
});

describe("ends", () => {
  const options = [
    { optionId: "a", name: "Yes", kind: "allow_once" },
    { optionId: "b", name: "Yes", kind: "reject_once" },
  ];
  const end = { status: "accepted", reason: null, resolvedBy: { kind: "login", name: "ada" } };

  test("of two options with one name the chosen one decides", () => {
    const outcome = { outcome: "selected", optionId: "b" };
    expect(outcomeWords({ ...end, outcome }, options)).toEqual({
      text: "Answered by ada: Yes",
      tone: "reject",
    });
  });

  test("an option that is not known is told by its id", () => {
    const outcome = { outcome: "selected", optionId: "gone" };
    expect(outcomeWords({ ...end, outcome }, options)).toMatchObject({ tone: "neutral" });
  });

  test("an end without a choice tells its reason", () => {
    const ended = { ...end, reason: "prompt_cancelled", outcome: { outcome: "cancelled" } };
    expect(outcomeWords(ended, options).text).toBe("The turn was cancelled by ada");
  });

  test("every reason of the protocol has words of its own", () => {
    expect(new Set(REASONS.map(reasonWords)).size).toBe(REASONS.length);
    for (const reason of REASONS) expect(reasonWords(reason)).not.toContain(reason);
  });
});
