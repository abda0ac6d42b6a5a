import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { AppError } from "@signalbox/protocol";

/** Encrypts what must not be readable in the database, its backups or copies of it. */
export interface Sealer {
  /**
   * @param context names what the text belongs to, such as a session id; needed again to open
   */
  seal(text: string, context?: string): string;
  /**
   * @throws AppError `storage_corrupt` when the value was changed, was sealed with another key
   *   or belongs to another context
   */
  open(sealed: string, context?: string): string;
}

const KEY_FILE = "secret.key";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";
const FORMAT = "v1";

/**
 * Opens the folder's key, making one at the first call.
 *
 * @throws AppError `storage_corrupt` when the key file is not one; Error when other accounts
 *   may read it
 */
export function openSealer(dataDir: string): Sealer {
  const key = readKey(path.join(dataDir, KEY_FILE));
  return {
    seal: (text, context = "") => seal(key, text, context),
    open: (sealed, context = "") => open(key, sealed, context),
  };
}

function seal(key: KeyObject, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, "utf8"));
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `${FORMAT}.${Buffer.concat(parts).toString("base64url")}`;
}

function open(key: KeyObject, sealed: string, context: string): string {
  const [format, encoded] = sealed.split(".");
  const bytes = Buffer.from(encoded ?? "", "base64url");
  if (format !== FORMAT || bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable();
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, "utf8"));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause?: unknown): AppError {
  return new AppError("storage_corrupt", "a sealed value does not open with this folder's key", {
    cause,
  });
}

/** A key object, unlike bytes, shows nothing when it is printed. */
function readKey(file: string): KeyObject {
  if (!fs.existsSync(file)) createKey(file);
  const { mode } = fs.statSync(file);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new Error(`${file} may be read by other accounts; chmod 600 it, then rotate env values`);
  }
  const bytes = fs.readFileSync(file);
  if (bytes.length !== KEY_BYTES) {
    throw new AppError("storage_corrupt", `${file} does not hold a key of ${KEY_BYTES} bytes`);
  }
  return createSecretKey(bytes);
}

/** Appears whole or not at all, and never over another key: that would lose what it sealed. */
function createKey(file: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    fs.writeFileSync(draft, randomBytes(KEY_BYTES), { flag: "wx", mode: 0o600, flush: true });
    fs.linkSync(draft, file);
  } catch (error) {
    const taken = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!taken) throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  syncFolder(path.dirname(file));
}

function syncFolder(dir: string): void {
  const handle = fs.openSync(dir, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
