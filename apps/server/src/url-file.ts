import fs from "node:fs";
import path from "node:path";

const URL_FILE = "url";

/**
 * Writes `<data dir>/url`, where the `signalbox` command looks for the running server.
 *
 * @returns a function that removes it
 */
export function announceUrl(dataDir: string, url: string): () => void {
  const file = path.join(dataDir, URL_FILE);
  fs.writeFileSync(file, `${url}\n`, { mode: 0o600 });
  return () => fs.rmSync(file, { force: true });
}
