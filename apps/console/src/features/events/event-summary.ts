/** A few words on an event, for a line in a list. */
import type { DurableEvent } from "@signalbox/protocol";
import { asNumber, asObject, asText } from "../session/content/json-read.ts";
import { visibleText } from "../session/content/visible-text.ts";

const MAX_CHARACTERS = 200;

/** What the event says of itself: its text, or the title, state or reason that it carries. */
export function eventSummary(event: DurableEvent): string {
  const content = asObject(event.content);
  const toolCall = asObject(event.toolCall);
  const error = asObject(event.error);
  const outcome = asObject(event.outcome);
  const candidates = [
    asText(content?.text) ?? (content === null ? null : asText(content.type)),
    asText(event.title) ?? asText(toolCall?.title),
    asText(event.status),
    asText(error?.code) ?? asText(event.stopReason),
    asText(outcome?.optionId) ?? asText(event.reason),
    asText(event.message),
    asNumber(event.exitCode) === null ? null : `exit code ${event.exitCode}`,
    asText(event.currentModeId),
  ];
  const words = candidates.filter((text) => text !== null && text.trim() !== "");
  return shortened(words.join(" · "));
}

function shortened(text: string): string {
  const characters = [...text.slice(0, MAX_CHARACTERS * 2).replaceAll(/\s+/gu, " ")];
  const isCut = characters.length > MAX_CHARACTERS || text.length > MAX_CHARACTERS * 2;
  return visibleText(
    isCut ? `${characters.slice(0, MAX_CHARACTERS).join("")}…` : characters.join(""),
  );
}
