/** A row of the audit log read as a decision about a request. */
import type { AuditRow } from "@signalbox/protocol";
import { type KindTone, kindWords } from "../permission/permission-words.ts";

export interface Decision {
  /** What was asked; null where the row does not tell. */
  title: string | null;
  /** Who and what, in one line. */
  words: string;
  tone: KindTone;
  /** The event of the decision in its session; null for those a policy made. */
  sequence: number | null;
}

/** Null for a row about anything else. */
export function decisionOf({ action, actor, details }: AuditRow): Decision | null {
  const title = typeof details.title === "string" ? details.title : null;
  const sequence = typeof details.sequence === "number" ? details.sequence : null;
  const by = actor.kind === "policy" ? `the policy ${actor.name}` : actor.name;
  if (action === "permissions.respond") {
    const { optionName, optionId, optionKind } = details;
    const option = [optionName, optionId].find((text) => typeof text === "string") ?? "an option";
    const tone = kindWords(typeof optionKind === "string" ? optionKind : "").tone;
    return { title, words: `${String(option)}, by ${by}`, tone, sequence };
  }
  if (action !== "questions.respond") return null;
  const answer = { accept: "Answered", decline: "Declined", cancel: "Cancelled" };
  const kind = String(details.action);
  const word = Object.hasOwn(answer, kind) ? answer[kind as keyof typeof answer] : kind;
  return { title: title ?? "A question", words: `${word}, by ${by}`, tone: "neutral", sequence };
}
