import type { ContractRow } from "./contract-row.ts";

const RUNTIME = "packages/acp-runtime/src";
const FOLDERS = `${RUNTIME}/sessions/session-folders.test.ts`;
const ACCESS = "tests/integration/access.test.ts";
const FLOOD = "tests/integration/connection-flood.test.ts";
const LIMITS = "tests/integration/connection-limits.test.ts";
const ROOM = "apps/server/src/waiting-room.test.ts";
const CANARY = "tests/integration/canary.test.ts";
const REDACTION = `${RUNTIME}/output/redaction.test.ts`;
const SECRETS = `${RUNTIME}/sessions/session-secrets.test.ts`;
const SEAL = "packages/db/src/seal.test.ts";
const DEPENDENCIES = "tooling/check-dependencies.test.ts";
const ACCESS_LOG = "tests/integration/access-log.test.ts";
const LOG = "apps/server/src/log.test.ts";
const ACCOUNTS = "tests/integration/accounts.test.ts";
const COMMAND = "tests/integration/command.test.ts";
const AUDIT = "packages/db/src/audit.test.ts";
const PRIVATE = "apps/server/src/private-folder.test.ts";
const START = "tests/integration/start-and-stop.test.ts";

const SCOPES = "tests/integration/scopes.test.ts";
const FUZZ = "tests/integration/fuzz.test.ts";
const BYTES = "tests/integration/hostile-bytes.test.ts";
const STALLED = "tests/integration/stalled-reader.test.ts";
const OPEN = `${RUNTIME}/sessions/open-session.test.ts`;
const SPAWN = `${RUNTIME}/adapter/spawn-agent.test.ts`;
const SUPERVISION = `${RUNTIME}/adapter/supervision.test.ts`;
const CONFINED = "tests/integration/confined-agent.test.ts";
const LOGIN = "apps/server/src/login.test.ts";
const END = "tests/integration/process-end.test.ts";

/** What keeps the server safe, by the numbers of its threat model. */
export const rows: readonly ContractRow[] = [
  {
    sentence:
      "S1 A token by default, its hash alone stored; one link with a code in its fragment, good once, ten minutes",
    tests: [
      `${START} › a start tells its address and leaves a token that only its owner reads`,
      `${LOGIN} › the code of the link is good for one login`,
      `${LOGIN} › a code is good for ten minutes`,
    ],
  },
  {
    sentence:
      "S3 S4 Every procedure asks for a token and for its own scope, over every way in; scopes come from the token's row",
    tests: [
      `${SCOPES} › the scope of every procedure is written down`,
      `${SCOPES} › is refused without a valid token, over every way in`,
      `${SCOPES} › is forbidden with every scope but its own, over every way in`,
      `${SCOPES} › a token with one scope may do what that scope is for, and no more`,
    ],
  },
  {
    sentence: "S5 A revoked or expired token ends what it has open, within a second",
    tests: [
      `${ACCOUNTS} › a revoked token's sockets and streams are closed, and its calls refused`,
      `${ACCOUNTS} › a token that expires ends what it has open`,
    ],
  },
  {
    sentence: "S8 Wrong codes are slowed down and lock nobody else out",
    tests: [`${LOGIN} › wrong codes are told to slow down, and do not lock the right one out`],
  },
  {
    sentence: "S9 Loopback by default; elsewhere the names and a word on TLS or a proxy come first",
    tests: [`${START} › a configuration that %s ends the start with 2 and names the place`],
  },
  {
    sentence: "S12 A mutation is a POST of JSON",
    tests: [`${ACCESS} › a mutation changes nothing`],
  },
  {
    sentence: "S14 A reader that stalls costs bounded memory, loses nothing and holds up nobody",
    tests: [
      `${STALLED} › readers that stall cost the server little, lose nothing, and hold up nobody`,
    ],
  },
  {
    sentence: "S16 No frame, upgrade or body that is malformed ends the server",
    tests: [
      `${BYTES} › an upgrade to %s is a bad request and ends no server`,
      `${BYTES} › a request for %s is a bad request`,
      `${BYTES} › a socket without a token that says %s ends no server`,
      `${BYTES} › a body that breaks off ends no server`,
    ],
  },
  {
    sentence:
      "S27 A client names an agent; a command of its own needs scope X or stands on the list",
    tests: [
      `${OPEN} › a command of a caller's own needs scope X, however its server is written`,
      `${OPEN} › a command on the list may be used by anyone, another one next to it may not`,
    ],
  },
  {
    sentence: "S32 Whatever an agent starts is gone with it, also what left its group",
    tests: [
      `${SPAWN} › %s: a stop leaves nobody`,
      `${SPAWN} › an agent that ignores SIGTERM is killed`,
      `${START} › SIGTERM ends turns and permissions in order, with 0, and leaves no process`,
    ],
  },
  {
    sentence:
      "S33 Adapters are counted, watched with their whole tree, and held back when they crash again and again",
    tests: [
      `${SUPERVISION} › each adapter is listed with its whole tree of processes and their memory`,
      `${SUPERVISION} › an agent that crashes again and again is held back for a while, and says until when`,
    ],
  },
  {
    sentence:
      "S35 A confined agent writes in its session's folders alone and sees nothing of the server",
    tests: [
      `${CONFINED} › an agent behind bubblewrap works in its session's folder and writes nowhere else`,
      `${CONFINED} › it sees neither the data folder nor the configuration, the server's environment or any process`,
    ],
  },
  {
    sentence:
      "S36 S37 S40 Whatever is sent is answered with a result or a code, without stack, path or SQL",
    tests: [`${FUZZ} › answers anything with a result or a code`],
  },
  {
    sentence: "S45 A fault that nobody caught ends the process with 70",
    tests: [`${END} › a bug (%s) is logged, ends turns in order and the server with 70`],
  },
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
    sentence:
      "S22 Values of env and MCP servers are sealed with AES-256-GCM and a key of mode 0600, bound to their session, and never read back",
    tests: [
      `${CANARY} › a secret value is found in no answer, event, error, log, export or file, in any spelling`,
      `${CANARY} › a value is found in each spelling that is looked for`,
      `${SECRETS} › values of MCP servers are sealed, sent again as they were, and masked in what the agent says`,
      `${SECRETS} › rotated values reach the adapter at its next start, and the audit log names them`,
      `${SEAL} › a sealed text shows nothing of itself and never looks the same twice`,
      `${SEAL} › a changed, cut or foreign value is refused with a code`,
      `${SEAL} › a value moved to another session does not open there`,
      `${SEAL} › the key is for this account alone, and a start with a key keeps it`,
      `${SEAL} › a key that other accounts may read is refused`,
    ],
  },
  {
    sentence:
      "S23 Known secret values are masked in deltas, history, errors, stderr and logs, also when they come in pieces",
    tests: [
      `${CANARY} › a secret value is found in no answer, event, error, log, export or file, in any spelling`,
      `${REDACTION} › a secret spoken in pieces of any size never shows, and nothing else is lost`,
      `${REDACTION} › a secret is masked as it stands in JSON text, in an address and in base64`,
      `${REDACTION} › a secret in a key is masked`,
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
  {
    sentence: "S39 Logs are structured, and foreign text in them is escaped",
    tests: [
      `${LOG} › foreign text that holds %s stays one line that shows it`,
      `${LOG} › facts can be read back`,
      `${ACCESS_LOG} › what a stranger writes makes no line of its own`,
    ],
  },
  {
    sentence: "S42 The audit log is append-only, chained by hashes, paged, and can be verified",
    tests: [
      `${AUDIT} › rows are neither changed nor removed by a statement`,
      `${AUDIT} › %s shows in the chain`,
      `${COMMAND} › audit verify finds a row that was changed behind the server's back`,
      `${ACCOUNTS} › the audit log is paged, newest first, each row once, and by session`,
    ],
  },
  {
    sentence: "Every decision and every administrative act is an audit row",
    tests: [
      "tests/integration/audited-acts.test.ts › each act of a session's life, and of the server's, is in the audit log with who did it",
    ],
  },
  {
    sentence: "S43 Calls, sockets and refusals are written down by default",
    tests: [
      `${ACCESS_LOG} › a call is written down with who made it, over both ways in, and none of its input`,
      `${ACCESS_LOG} › who is turned away is written down, by call, Host, Origin, socket, export and login`,
      `${ACCESS_LOG} › a flood of strangers is told by its number`,
    ],
  },
  {
    sentence:
      "S44 Exact pins, hashes, install scripts of named packages alone, licences and advisories checked offline, a list of materials",
    tests: [
      `${DEPENDENCIES} › a sound repository has no problem`,
      `${DEPENDENCIES} › a dependency is asked for in one exact version, not as %s`,
      `${DEPENDENCIES} › a package with %s is told`,
      `${DEPENDENCIES} › the list of materials names every package, offline`,
      "scripts/lib/dependencies.test.ts › only packages that are named run code when they are installed",
    ],
  },
];
