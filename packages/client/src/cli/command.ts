/** What every command shares: its options, its output, and how it ends. */
import { type Command, Option } from "commander";
import { connect, type SignalboxClient } from "../client.ts";
import { type AddressOptions, findServer } from "./server-address.ts";

/** The process around the commands; a test passes its own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes whole lines for a person or a script. */
  readonly print: (line: string) => void;
  /** Takes what went wrong. */
  readonly complain: (line: string) => void;
}

/** What a command has to say: for people, and as the one object that `--json` prints. */
export interface Answer {
  readonly lines: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

export interface SharedOptions extends AddressOptions {
  json?: boolean;
}

/** Adds the options of a command that calls a server. */
export function withServerOptions(command: Command): Command {
  return command
    .addOption(new Option("--url <url>", "the server (or SIGNALBOX_URL)"))
    .addOption(
      new Option(
        "--token <secret>",
        "a token; other accounts may see arguments, so prefer SIGNALBOX_TOKEN",
      ),
    )
    .addOption(
      new Option("--data-dir <folder>", "the server's data folder (or SIGNALBOX_DATA_DIR)"),
    )
    .addOption(new Option("--json", "print one JSON object"));
}

/** Calls the server, prints the answer, and lets the connection go. */
export async function callServer(
  options: SharedOptions,
  { env, print }: Surroundings,
  run: (client: SignalboxClient, url: string) => Promise<Answer>,
): Promise<void> {
  const { url, token } = findServer(options, env);
  await using client = connect({ url, token });
  const { lines, json } = await run(client, url);
  for (const line of options.json ? [JSON.stringify(json)] : lines) print(line);
}
