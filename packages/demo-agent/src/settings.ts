import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";

export const AGENT_VERSION = "0.1.0";

export interface Settings {
  /** Folder that holds one JSON file a session. */
  readonly stateDir: string;
  /** Pause between two chunks, in milliseconds; every other pause is a multiple of it. */
  readonly delayMs: number;
}

const delaySchema = z.coerce.number().int().min(0).max(60_000);

/**
 * Reads the agent's settings from the environment.
 *
 * @throws Error when `SIGNALBOX_DEMO_DELAY_MS` is not a whole number from 0 to 60,000
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const delay = delaySchema.safeParse(env.SIGNALBOX_DEMO_DELAY_MS || 25);
  if (!delay.success) {
    throw new Error(
      `SIGNALBOX_DEMO_DELAY_MS is ${JSON.stringify(env.SIGNALBOX_DEMO_DELAY_MS)}, expected a whole number from 0 to 60000`,
    );
  }
  return { stateDir: stateDir(env), delayMs: delay.data };
}

function stateDir(env: NodeJS.ProcessEnv): string {
  if (env.SIGNALBOX_DEMO_STATE_DIR) return resolve(env.SIGNALBOX_DEMO_STATE_DIR);
  const xdg = env.XDG_STATE_HOME;
  // The XDG specification tells readers to ignore a relative value.
  const base = xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".local", "state");
  return join(base, "signalbox-demo");
}
