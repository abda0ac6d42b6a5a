import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is gone at the end of its scope. */
export class TemporaryFolder implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-real-agents-")));

  [Symbol.dispose](): void {
    // A process that was just killed may still be writing its last file.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
