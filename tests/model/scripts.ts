import type { ClientCommand } from "./program.ts";
import type { Script, Step } from "./script.ts";

const client = (command: ClientCommand): Step => ({ by: "client", command });
const open = client({ do: "open", session: "main", policy: "ask" });
const say: Step = {
  by: "agent",
  action: { do: "say", session: "main", text: "one ", messageId: null },
};
const stop: Step = { by: "server", end: "stop" };

/** Scripts that once went another way than the model says, as small as they can be. */
export const scripts: readonly (Script & { readonly found: string })[] = [
  {
    found: "words outside a turn that an ordered stop forgot",
    restore: "resume",
    obeysCancel: true,
    steps: [open, say, stop],
  },
];
