/** A sequence of commands, each of which comes to rest before the next: what the model predicts. */
import fc from "fast-check";
import { type AgentAction, agentAction, type ClientCommand, clientCommand } from "./program.ts";

export type Step =
  | { by: "client"; command: ClientCommand }
  | { by: "agent"; action: AgentAction }
  | { by: "server"; end: "crash" | "stop" };

export interface Script {
  readonly restore: "resume" | "load" | "none";
  readonly obeysCancel: boolean;
  readonly steps: readonly Step[];
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: clientCommand.map((command) => ({ by: "client" as const, command })),
  },
  { weight: 9, arbitrary: agentAction.map((action) => ({ by: "agent" as const, action })) },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant("server" as const),
      end: fc.constantFrom("crash" as const, "stop" as const),
    }),
  },
);

/** A script in which nothing is ever open finds nothing. */
const OPEN: Step = { by: "client", command: { do: "open", session: "main", policy: "ask" } };

export const script: fc.Arbitrary<Script> = fc.record({
  restore: fc.constantFrom("resume" as const, "load" as const, "none" as const),
  obeysCancel: fc.boolean(),
  steps: fc
    .array(step, { minLength: 1, maxLength: 40, size: "max" })
    .map((steps) => [OPEN, ...steps]),
});
