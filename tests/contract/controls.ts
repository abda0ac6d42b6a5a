import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const FOLDERS = `${RUNTIME}/sessions/session-folders.test.ts`;
const PRIVATE = "apps/server/src/private-folder.test.ts";
const START = "tests/integration/start-and-stop.test.ts";

/** What keeps the server safe, by the numbers of its threat model. */
export const rows: readonly ContractRow[] = [
  {
    sentence: "S25 Data folder 0700, files 0600; a foreign, writable or symlinked one is refused",
    tests: [
      `${PRIVATE} › a new folder is closed to others, whatever the umask allows`,
      `${PRIVATE} › a folder that others may write is refused and left as it is: %o`,
      `${PRIVATE} › a folder of another account is refused`,
      `${PRIVATE} › a symlink is refused, wherever it leads`,
      `${START} › nobody else reads anything in the data folder, whatever the umask allows`,
      `${START} › a data folder that %s ends the start with 2`,
    ],
  },
  {
    sentence:
      "S30 Folders inside the roots after symlinks are resolved, checked at each start, never the data folder",
    tests: [
      `${FOLDERS} › a symlink out of the roots is outside, for each folder of a session`,
      `${FOLDERS} › the data folder, what is in it and what is around it is no workspace, however wide the roots`,
      `${FOLDERS} › a path that was changed after the open is looked at again before the next start`,
    ],
  },
];
