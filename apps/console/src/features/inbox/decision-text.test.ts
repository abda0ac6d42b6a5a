import type { AuditRow } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { decisionOf } from "./decision-text.ts";

function row(action: string, details: AuditRow["details"], kind: "login" | "policy" = "login") {
  const actor = { kind, name: kind === "login" ? "console" : "allow_all" } as const;
  const target = "r1";
  const base = { id: 1, timestamp: "", address: null, sessionId: "a", outcome: "ok", hash: "" };
  return { ...base, actor, action, target, details };
}

test("a permission is told by its option's name, who chose it, and where that stands", () => {
  const details = {
    optionId: "y",
    optionName: "Allow once",
    optionKind: "allow_once",
    title: "Run tests",
    sequence: 12,
  };
  expect(decisionOf(row("permissions.respond", details))).toEqual({
    title: "Run tests",
    words: "Allow once, by console",
    tone: "allow",
    sequence: 12,
  });
});

test("a policy's decision has no event, and an older row tells the option's id", () => {
  expect(decisionOf(row("permissions.respond", { optionId: "y" }, "policy"))).toEqual({
    title: null,
    words: "y, by the policy allow_all",
    tone: "neutral",
    sequence: null,
  });
});

test("a question is told by what was done with it", () => {
  expect(decisionOf(row("questions.respond", { action: "decline", sequence: 3 }))).toMatchObject({
    words: "Declined, by console",
    sequence: 3,
  });
});

test("other acts are no decisions", () => {
  expect(decisionOf(row("sessions.delete", {}))).toBeNull();
});
