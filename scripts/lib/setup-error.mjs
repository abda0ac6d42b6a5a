/** A reason to stop that the person at the keyboard can act on; its message is the whole report. */
export class SetupError extends Error {}

/**
 * Runs a script's body. A `SetupError` becomes one sentence on stderr and exit code 1; anything
 * else is a bug and keeps its stack.
 *
 * @param {() => Promise<void>} body
 */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

/** Progress goes to stderr: stdout belongs to the server's own lines. @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
