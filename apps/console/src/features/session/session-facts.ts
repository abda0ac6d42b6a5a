import type { DurableEvent, JsonObject } from "@signalbox/protocol";
import { OWN } from "./transcript/transcript-rows.ts";

/** What the session last said of itself. */
export interface SessionFacts {
  usage: JsonObject | null;
  commands: JsonObject[] | null;
  configOptions: JsonObject[] | null;
  modeId: string | null;
  title: string | null;
  /** The turn that has begun and not ended, as far as these events tell. */
  openPromptId: string | null;
}

export const NO_FACTS: SessionFacts = {
  usage: null,
  commands: null,
  configOptions: null,
  modeId: null,
  title: null,
  openPromptId: null,
};

/** Follows which turn holds the session: a queued prompt does not, until its message is stored. */
export function withTurn(facts: SessionFacts, event: DurableEvent): SessionFacts {
  const { promptId } = event;
  if (event.type === OWN.turnEnded) {
    return facts.openPromptId === promptId ? { ...facts, openPromptId: null } : facts;
  }
  const isInTurn = promptId !== null && event.type !== OWN.promptQueued;
  return isInTurn && promptId !== facts.openPromptId ? { ...facts, openPromptId: promptId } : facts;
}
