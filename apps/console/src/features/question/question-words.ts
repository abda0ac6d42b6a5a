/** What a question and its end are called. */
import type { QuestionAction } from "@signalbox/protocol";
import { reasonWords } from "../permission/permission-words.ts";

export interface EndedQuestion {
  status: string;
  action: string;
  reason: string | null;
  resolvedBy: { kind: string; name: string } | null;
}

const ANSWERS: Readonly<Record<QuestionAction, string>> = {
  accept: "Answered",
  decline: "Declined",
  cancel: "Cancelled",
};

/** How a question ended, in one line: by whom, or why. What was typed is not stored. */
export function questionEndWords({ status, action, reason, resolvedBy }: EndedQuestion): string {
  const by = resolvedBy === null ? "" : ` by ${resolvedBy.name}`;
  if (status !== "accepted") return `${reasonWords(reason)}${by}`;
  const words = Object.hasOwn(ANSWERS, action) ? ANSWERS[action as QuestionAction] : action;
  return `${words}${by}`;
}

export interface LinkFacts {
  /** As the browser will go there: letters of other scripts by their codes. Empty when there is none. */
  host: string;
  /** Opens in a browser at all. */
  isWeb: boolean;
  /** What may fool a reader about where it leads. */
  warning: string | null;
}

export function linkFacts(url: string): LinkFacts {
  if (!URL.canParse(url)) return { host: "", isWeb: false, warning: "This is not an address." };
  const { protocol, host, username, password } = new URL(url);
  const isWeb = protocol === "https:" || protocol === "http:";
  return { host, isWeb, warning: warningOf(protocol, host, username + password) };
}

function warningOf(protocol: string, host: string, credentials: string): string | null {
  if (protocol !== "https:" && protocol !== "http:") {
    return `Addresses that begin with ${protocol} are not opened from here.`;
  }
  if (credentials !== "") return `What stands before the @ is no address. It leads to ${host}.`;
  if (host.split(".").some((label) => label.startsWith("xn--"))) {
    return "The host has letters of another script, which can look like others.";
  }
  return protocol === "http:" ? "The connection to it is not encrypted." : null;
}
