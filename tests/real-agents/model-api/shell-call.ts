import type { JsonObject } from "@signalbox/protocol";
import type { AnswerPart, ModelRequest } from "./conversation.ts";

type Place = "sandbox" | "outside";

/** The shell tool of each agent that the stand-in serves, and the input that it takes. */
const shellTools: Record<string, (command: string, place: Place) => JsonObject> = {
  Bash: (command) => ({ command, description: "Run a command for the test" }),
  exec_command: (cmd, place) =>
    place === "sandbox"
      ? { cmd }
      : { cmd, sandbox_permissions: "require_escalated", justification: "May I run this?" },
};

/** @throws Error when the agent offers no shell tool that is known here */
export function shellCall(request: ModelRequest, command: string, place: Place): AnswerPart {
  for (const name of request.tools) {
    const input = shellTools[name]?.(command, place);
    if (input) return { kind: "tool_call", name, input };
  }
  throw new Error(`no shell tool among those on offer: ${request.tools.join(", ")}`);
}
