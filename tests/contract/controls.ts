import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const FOLDERS = `${RUNTIME}/sessions/session-folders.test.ts`;
const ACCESS = "tests/integration/access.test.ts";
const FLOOD = "tests/integration/connection-flood.test.ts";
const LIMITS = "tests/integration/connection-limits.test.ts";
const ROOM = "apps/server/src/waiting-room.test.ts";
const PRIVATE = "apps/server/src/private-folder.test.ts";
const START = "tests/integration/start-and-stop.test.ts";

/** What keeps the server safe, by the numbers of its threat model. */
export const rows: readonly ContractRow[] = [
  {
    sentence: "S7 A socket shows its token within a deadline; none is read from an address",
    tests: [
      `${ACCESS} › a socket that %s is closed with 4401 within 5 seconds`,
      `${ACCESS} › no token is read from the address`,
    ],
  },
  {
    sentence:
      "S13 Sockets and subscriptions of one token, and strangers' connections, are bounded; ten thousand attempts leave callers unaffected",
    tests: [
      `${LIMITS} › a token has no more sockets open than it may, and gets the place of one that closed`,
      `${LIMITS} › a token follows no more than it may, over sockets and streams together`,
      `${LIMITS} › however many silent sockets come, a caller with a token is heard, and none stays`,
      `${FLOOD} › ten thousand strangers cost bounded memory, and a caller is heard at any time`,
      `${ROOM} › one that came keeps its place for a while, however many come after it`,
      `${ROOM} › another address always gets its share, at the cost of the one that has most`,
    ],
  },
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
