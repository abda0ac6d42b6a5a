/** What a permission and its end are called. Only words: which option is sent is never decided here. */
import type { JsonObject, NotPendingReason, PermissionOption } from "@signalbox/protocol";

export type KindTone = "allow" | "reject" | "neutral";

export interface KindWords {
  words: string;
  tone: KindTone;
  /** The choice outlives this request, so it takes a second press; the words that ask for it. */
  confirmWords: string | null;
}

const KINDS: Readonly<Record<string, KindWords>> = {
  allow_once: { words: "allow, this time", tone: "allow", confirmWords: null },
  allow_always: {
    words: "allow, from now on",
    tone: "allow",
    confirmWords: "Press again to allow always",
  },
  reject_once: { words: "reject, this time", tone: "reject", confirmWords: null },
  reject_always: {
    words: "reject, from now on",
    tone: "reject",
    confirmWords: "Press again to reject always",
  },
};

/** A kind that is not known says its own name and takes no side. */
export function kindWords(kind: string): KindWords {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known) return known;
  const confirmWords = kind.endsWith("_always") ? "Press again to choose this always" : null;
  return { words: kind === "" ? "no kind given" : `kind “${kind}”`, tone: "neutral", confirmWords };
}

const REASONS: Readonly<Record<NotPendingReason, string>> = {
  already_resolved: "It was already answered",
  prompt_cancelled: "The turn was cancelled",
  adapter_exited: "The agent's process ended",
  session_deleted: "The session was deleted",
  session_unloaded: "The session was unloaded",
  turn_ended: "The agent ended its turn without waiting for the answer",
  server_stopped: "The server was stopped",
  server_restarted: "The server was restarted",
  request_not_found: "The server does not know this request any more",
};

/** Why a request is over that nobody can answer any more. */
export function reasonWords(reason: string | null): string {
  if (reason === null) return "It is no longer open";
  return Object.hasOwn(REASONS, reason)
    ? REASONS[reason as NotPendingReason]
    : `It is no longer open (${reason})`;
}

export interface EndedPermission {
  status: string;
  reason: string | null;
  /** ACP's outcome object. */
  outcome: JsonObject | null;
  resolvedBy: { kind: string; name: string } | null;
}

export interface OutcomeWords {
  text: string;
  tone: KindTone;
}

/** How a request ended, in one line: the option by its name, or the reason. */
export function outcomeWords(
  end: EndedPermission,
  options: readonly PermissionOption[],
): OutcomeWords {
  const by = end.resolvedBy === null ? "" : ` by ${end.resolvedBy.name}`;
  const optionId = end.outcome?.optionId;
  if (end.outcome?.outcome === "selected" && typeof optionId === "string") {
    const option = options.find((candidate) => candidate.optionId === optionId);
    if (!option) return { text: `Answered${by}: ${optionId}`, tone: "neutral" };
    return { text: `Answered${by}: ${option.name}`, tone: kindWords(option.kind).tone };
  }
  return { text: `${reasonWords(end.reason)}${by}`, tone: "neutral" };
}
