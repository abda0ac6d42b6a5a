const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];

export function isLogLevel(value: string): value is LogLevel {
  return (LEVELS as readonly string[]).includes(value);
}

export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

/**
 * What a terminal obeys or a reader does not see: controls, line breaks of any kind, and characters
 * that turn or hide others. Foreign words must neither make a line nor steer who reads it.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Writes lines to stderr; stdout belongs to the two lines that a person or a script reads. */
export function createLog(level: LogLevel): Log {
  let isReaderGone = false;
  const write = (at: LogLevel, message: string, facts?: Record<string, unknown>) => {
    if (isReaderGone || LEVELS.indexOf(at) < LEVELS.indexOf(level)) return;
    const tail = facts === undefined ? "" : ` ${JSON.stringify(facts)}`;
    const line = `${message}${tail}`.replace(UNSEEN, escaped);
    process.stderr.write(`${new Date().toISOString()} ${at} ${line}\n`);
  };
  // `npm start 2>&1 | tee log` loses its reader first at Ctrl-C; the stop must go on in order.
  const onError = () => {
    isReaderGone = true;
  };
  process.stderr.on("error", onError);
  process.stdout.on("error", onError);
  return {
    debug: (message, facts) => write("debug", message, facts),
    info: (message, facts) => write("info", message, facts),
    warn: (message, facts) => write("warn", message, facts),
    error: (message, facts) => write("error", message, facts),
  };
}
