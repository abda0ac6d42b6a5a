/** Which server a command speaks to, and with which token. */
import fs from "node:fs";
import path from "node:path";
import { CommandFailure } from "./failure.ts";

export interface AddressOptions {
  url?: string | undefined;
  token?: string | undefined;
  dataDir?: string | undefined;
}

export interface ServerAddress {
  url: string;
  token: string;
}

const DEFAULT_URL = "http://127.0.0.1:4170";
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** Hosts that a server listens on and nobody can call. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);

/**
 * Options come first, then the environment, then the data folder of a server on this machine. The
 * folder's own token is sent to that server or to a loopback address, never to one that an option
 * named.
 *
 * @throws CommandFailure when no token is to be had or the URL is none
 */
export function findServer(
  options: AddressOptions,
  env: Readonly<Record<string, string | undefined>>,
): ServerAddress {
  const dataDir = path.resolve(options.dataDir ?? (env.SIGNALBOX_DATA_DIR || ".signalbox"));
  const named = options.url ?? (env.SIGNALBOX_URL || undefined);
  const announced = readLine(path.join(dataDir, "url"));
  const url = callable(named ?? announced ?? DEFAULT_URL);
  const given = options.token ?? (env.SIGNALBOX_TOKEN || undefined);
  if (given !== undefined) return { url: url.origin, token: given };
  const isNear = LOOPBACK_HOSTS.has(url.hostname) || named === undefined;
  if (!isNear) {
    throw new CommandFailure(
      `The token of ${dataDir} is not sent to ${url.host}: set SIGNALBOX_TOKEN or pass --token.`,
    );
  }
  const token = readLine(path.join(dataDir, "admin-token"));
  if (token !== null) return { url: url.origin, token };
  throw new CommandFailure(
    `There is no token: ${dataDir} holds no admin-token. Run this where the server runs, name its data folder with --data-dir, or set SIGNALBOX_URL and SIGNALBOX_TOKEN.`,
  );
}

function callable(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure(`${text} is not an http or https URL.`);
  }
  if (EVERY_ADDRESS.has(url.hostname)) url.hostname = "127.0.0.1";
  return url;
}

/** @throws CommandFailure when the file is there and may not be read */
function readLine(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "EACCES") {
      throw new CommandFailure(`${file} may not be read: run this as the server's own user.`);
    }
    throw error;
  }
}
