/** What an audit row tells of a decision: enough to know what was decided without its session. */
import type { JsonObject, PermissionOption } from "@signalbox/protocol";

/** The row outlives the session and is read in lists; the whole request is in the history. */
const MAX_CHARACTERS = 300;

export interface Decision {
  toolCall: JsonObject;
  options: readonly PermissionOption[];
  optionId: string;
}

/** The option with its name and kind as they were offered, and what it was about. */
export function decidedDetails({ toolCall, options, optionId }: Decision): JsonObject {
  const option = options.find((offered) => offered.optionId === optionId);
  const { title } = toolCall;
  return {
    optionId,
    ...(option === undefined
      ? {}
      : { optionName: shortened(option.name), optionKind: shortened(option.kind) }),
    ...(typeof title === "string" ? { title: shortened(title) } : {}),
  };
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_CHARACTERS + 2)];
  return characters.length <= MAX_CHARACTERS
    ? characters.join("")
    : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}
