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

/** C0 controls and DEL: an agent's words must not steer the terminal that shows the log. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Writes lines to stderr; stdout belongs to the two lines that a person or a script reads. */
export function createLog(level: LogLevel): Log {
  let isReaderGone = false;
  const write = (at: LogLevel, message: string, facts?: Record<string, unknown>) => {
    if (isReaderGone || LEVELS.indexOf(at) < LEVELS.indexOf(level)) return;
    const tail = facts === undefined ? "" : ` ${JSON.stringify(facts)}`;
    const line = `${message}${tail}`.replace(CONTROL, " ");
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
