import { join } from "node:path";
import type { Command } from "../command.ts";
import { wholeNumber } from "../command.ts";
import type { OfferedOption } from "../permission.ts";
import { askPermission, ODD_OPTIONS, USUAL_OPTIONS } from "../permission.ts";
import { OpenToolCall } from "../tool-call.ts";
import type { Turn } from "../turn.ts";

/** Asks about one invented action; resolves with the chosen option id, or `null`. */
async function askAbout(
  turn: Turn,
  title: string,
  options: readonly OfferedOption[],
): Promise<string | null> {
  const path = join(turn.session.cwd, "build");
  const call = await OpenToolCall.start(turn, {
    title,
    name: "shell",
    kind: "execute",
    locations: [{ path }],
    rawInput: { command: "rm -r build", cwd: turn.session.cwd },
  });
  const selected = await askPermission(
    turn,
    {
      toolCallId: call.id,
      title,
      kind: "execute",
      status: "pending",
      locations: [{ path }],
      rawInput: { command: "rm -r build", cwd: turn.session.cwd },
    },
    options,
  );
  const kind = options.find((option) => option.optionId === selected)?.kind;
  const allowed = kind?.startsWith("allow_") ?? false;
  await call.update({
    status: allowed ? "completed" : "failed",
    rawOutput: { selected, simulated: true },
  });
  return selected;
}

/** What hides in it must show to whoever decides. Nothing of it is run. */
const DISGUISE = {
  title: "Clean up the logs \u202e)stsil ylno(",
  command: "ls logs \u200b\u2066; rm -rf ~\u2069 # safe",
  path: "logs/\u202egol.ehcac",
  options: [
    { optionId: "yes\u200b", name: "Allow \u202eecno", kind: "allow_once" },
    { optionId: "no", name: "Reject\u0007", kind: "reject_once" },
  ],
} as const;

async function askDisguised(turn: Turn): Promise<undefined> {
  const { title, command, path, options } = DISGUISE;
  const locations = [{ path: join(turn.session.cwd, path) }];
  const asked = { title, kind: "execute" as const, locations, rawInput: { command } };
  const call = await OpenToolCall.start(turn, { ...asked, name: "shell" });
  const toolCall = { toolCallId: call.id, status: "pending" as const, ...asked };
  const selected = await askPermission(turn, toolCall, options);
  await call.update({ status: "completed", rawOutput: { selected, simulated: true } });
  await turn.say("Nothing was run: the command is invented.");
  return undefined;
}

function sentence(selected: string | null): string {
  return selected === null
    ? "You cancelled the question, so I did nothing."
    : `You chose \`${selected}\`. Nothing was deleted: the action is invented.`;
}

async function askMany(turn: Turn, argument: string): Promise<undefined> {
  const count = wholeNumber(argument, 3, { min: 1, max: 2_000 });
  const asked = Array.from({ length: count }, (_, index) =>
    askAbout(turn, `Delete the build folder (${index + 1} of ${count})`, USUAL_OPTIONS),
  );
  const answers = await Promise.all(asked);
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const key = answer ?? "cancelled";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const lines = [...counts].map(([option, times]) => `- \`${option}\`: ${times}`);
  await turn.say(`All ${count} questions are answered:\n\n${lines.join("\n")}`);
}

export const ASK_COMMANDS: readonly Command[] = [
  {
    name: "permission",
    description: "Asks for permission once (nothing is done)",
    run: async (turn) => {
      await turn.say(sentence(await askAbout(turn, "Delete the build folder", USUAL_OPTIONS)));
      return undefined;
    },
  },
  {
    name: "permissions",
    description: "Asks for N permissions at once",
    hint: "N",
    run: askMany,
  },
  {
    name: "odd-permission",
    description: "Offers options of an unknown kind, with equal names, with markup",
    run: async (turn) => {
      await turn.say(sentence(await askAbout(turn, "Choose, if you can", ODD_OPTIONS)));
      return undefined;
    },
  },
  {
    name: "disguised-permission",
    description: "Asks about a command that hides what it does",
    run: askDisguised,
  },
];
