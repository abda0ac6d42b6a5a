/** What the exit code tells whoever started the server. */
export const EXIT_CODE = {
  clean: 0,
  usage: 1,
  badConfiguration: 2,
  databaseInUse: 3,
  schemaNewer: 4,
  portInUse: 5,
  storageCorrupt: 6,
  internal: 70,
} as const;

/** Ends the server with one clear sentence and its exit code. */
export class ExitError extends Error {
  override readonly name = "ExitError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
