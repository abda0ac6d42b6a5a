import { randomUUID } from "node:crypto";
import type { ElicitationSchema } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { Command } from "../command.ts";
import { untilAborted } from "../permission.ts";
import type { Turn } from "../turn.ts";

const answerSchema = z.looseObject({
  action: z.string(),
  content: z.record(z.string(), z.unknown()).nullish(),
});

const RELEASE: ElicitationSchema = {
  type: "object",
  properties: {
    version: { type: "string", title: "Version", pattern: "^\\d+\\.\\d+\\.\\d+$" },
    channel: { type: "string", title: "Channel", enum: ["stable", "beta"], default: "beta" },
    notify: { type: "boolean", title: "Tell everyone", default: true },
  },
  required: ["version", "channel"],
};

/** Every kind of field, and one of a kind that nobody knows. */
const EVERY_KIND: ElicitationSchema = {
  type: "object",
  title: "A survey",
  properties: {
    name: { type: "string", title: "Name", description: "As it is signed", minLength: 2 },
    email: { type: "string", title: "E-mail", format: "email" },
    from: { type: "string", title: "First day", format: "date", default: "2027-01-04" },
    notes: { type: "string", title: "Notes", maxLength: 400 },
    size: {
      type: "string",
      title: "Size",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "m", title: "Medium" },
        { const: "l", title: "Large" },
      ],
      default: "m",
    },
    machines: { type: "integer", title: "Machines", minimum: 1, maximum: 16, default: 2 },
    budget: { type: "number", title: "Budget", minimum: 0, description: "In euros" },
    nightly: { type: "boolean", title: "Build every night", default: false },
    targets: {
      type: "array",
      title: "Targets",
      items: { type: "string", enum: ["linux", "macos", "windows"] },
      minItems: 1,
      default: ["linux"],
    },
    colour: { type: "colour", title: "Colour", palette: ["red", "green"] },
  },
  required: ["name", "size", "targets"],
};

function thanks({ action, content }: z.infer<typeof answerSchema>): string {
  return action === "accept"
    ? `Thank you. You answered:\n\n\`\`\`json\n${JSON.stringify(content ?? {}, null, 2)}\n\`\`\``
    : `You chose to ${action}. That is an answer, too.`;
}

function askForm(message: string, requestedSchema: ElicitationSchema): Command["run"] {
  return async (turn) => {
    if (!turn.context.clientCapabilities.elicitation?.form) {
      await turn.say("This client does not take questions with a form, so I ask none.");
      return undefined;
    }
    const { sessionId } = turn.session;
    const answer = await untilAborted(
      turn.context.client.request("elicitation/create", {
        sessionId,
        mode: "form",
        message,
        requestedSchema,
      }),
      turn.signal,
    );
    await turn.say(thanks(answerSchema.parse(answer)));
    return undefined;
  };
}

async function askLink(turn: Turn): Promise<undefined> {
  const { client, clientCapabilities } = turn.context;
  if (!clientCapabilities.elicitation?.url) {
    await turn.say("This client does not take questions with a link, so I ask none.");
    return;
  }
  const elicitationId = randomUUID();
  const answer = await untilAborted(
    client.request("elicitation/create", {
      sessionId: turn.session.sessionId,
      mode: "url",
      message: "Read the release checklist, then come back. Nothing is checked: I only pretend.",
      elicitationId,
      url: "https://example.org/checklist?for=signalbox-demo",
    }),
    turn.signal,
  );
  const { action } = answerSchema.parse(answer);
  if (action !== "accept") {
    await turn.say(`You chose to ${action}, so I go on without the checklist.`);
    return;
  }
  await client.notify("elicitation/complete", { elicitationId });
  await turn.say("Thank you for reading the checklist.");
}

export const QUESTION_COMMANDS: readonly Command[] = [
  {
    name: "question",
    description: "Asks a question with a form",
    run: askForm("How shall the release be made?", RELEASE),
  },
  {
    name: "survey",
    description: "Asks with a form that has every kind of field",
    run: askForm("Please tell me how to set up the builds.", EVERY_KIND),
  },
  { name: "link", description: "Asks to open a link", run: askLink },
];
