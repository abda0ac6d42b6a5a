/** The commands of `signalbox`. One that is added here needs only its own file beside it. */
import { EXIT_CODE } from "@signalbox/protocol";
import { Command, CommanderError } from "commander";
import { auditVerify } from "./audit-verify.ts";
import { callServer, type SharedOptions, type Surroundings, withServerOptions } from "./command.ts";
import { tellFailure } from "./failure.ts";
import { loginLink } from "./login-link.ts";

/**
 * @param args without the program's own name
 * @returns the exit code: 0 clean, 1 usage or failed check, 70 a bug
 */
export async function runProgram(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    await createProgram(surroundings).parseAsync([...args], { from: "user" });
    return EXIT_CODE.clean;
  } catch (error) {
    // Commander has printed the help or the problem by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODE.usage;
    const { exitCode, message, facts } = tellFailure(error);
    if (args.includes("--json")) surroundings.print(JSON.stringify({ error: message, ...facts }));
    else surroundings.complain(message);
    return exitCode;
  }
}

function createProgram(surroundings: Surroundings): Command {
  const program = new Command("signalbox");
  program
    .description("Commands for the operator of a Signalbox server.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.print(text.trimEnd()),
      writeErr: (text) => surroundings.complain(text.trimEnd()),
    });

  withServerOptions(program.command("login-link"))
    .description("print a fresh link that logs the console in, once, within ten minutes")
    .action((options: SharedOptions) => callServer(options, surroundings, loginLink));

  const audit = program.command("audit").description("the audit log");
  withServerOptions(audit.command("verify"))
    .description("recompute the chain of the audit log, row by row")
    .option("--expect <id:hash>", "a row that must be there, as an earlier run printed it")
    .action((options: SharedOptions & { expect?: string }) =>
      callServer(options, surroundings, (client) => auditVerify(client, options.expect)),
    );
  return program;
}
