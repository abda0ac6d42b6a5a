import type { Scope } from "@signalbox/protocol";

/** What each scope of a token is called, and what it lets its holder do. */
export const SCOPE_WORDS: Readonly<Record<Scope, { name: string; lets: string }>> = {
  R: { name: "Read", lets: "See sessions, their history and live events." },
  P: { name: "Prompt", lets: "Open sessions, send prompts, cancel, change options, unload." },
  A: { name: "Answer", lets: "Answer permission requests and questions of agents." },
  X: { name: "Admin", lets: "Delete sessions, check agents, manage tokens, read the audit log." },
};
