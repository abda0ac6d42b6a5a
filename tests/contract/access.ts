import type { ContractRow } from "./contract-row.ts";

const SCOPES = "tests/integration/scopes.test.ts";
const ACCOUNTS = "tests/integration/accounts.test.ts";
const CONNECTIONS = "tests/integration/connection-limits.test.ts";
const ACCESS = "tests/integration/access.test.ts";
const COMMAND = "tests/integration/command.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "A token needs each scope named; admin implies none",
    tests: [
      `${SCOPES} › the scope of every procedure is written down`,
      `${SCOPES} › is forbidden with every scope but its own, over every way in`,
      `${SCOPES} › a token with one scope may do what that scope is for, and no more`,
    ],
  },
  {
    sentence: "A call is authenticated, then authorised, then parsed",
    tests: [
      `${ACCESS} › authorisation comes before the input is looked at`,
      `${SCOPES} › is refused without a valid token, over every way in`,
    ],
  },
  {
    sentence: "tokens.create shows the secret once; it is stored as a hash",
    tests: [`${ACCOUNTS} › a token's secret is shown once and opens what its scopes say`],
  },
  {
    sentence: "tokens.revoke closes live sockets within a second",
    tests: [
      `${ACCOUNTS} › a revoked token's sockets and streams are closed, and its calls refused`,
      `${ACCOUNTS} › a token that expires ends what it has open`,
    ],
  },
  {
    sentence: "logins.list and logins.revoke: the console's login sessions",
    tests: [`${ACCOUNTS} › a login holds for its own origin, is listed, and can be revoked`],
  },
  {
    sentence: "signalbox login-link prints a fresh one-time link on the server's machine",
    tests: [
      `${COMMAND} › login-link prints a link that logs in once, also after someone has logged in`,
      `${COMMAND} › the data folder says where the server is only while it runs`,
      `${COMMAND} › a wrong command, no server and a refusal end with 1 and one sentence`,
    ],
  },
  {
    sentence: "signalbox audit verify recomputes the chain",
    tests: [
      `${COMMAND} › audit verify finds a row that was changed behind the server's back`,
      "packages/client/src/cli/audit-verify.test.ts › rows cut off at the end show when an earlier run's last row is expected",
    ],
  },
  {
    sentence: "audit.list: all sessions when none is named, paged",
    tests: [
      `${ACCOUNTS} › the audit log is paged, newest first, each row once, and by session`,
      `${ACCOUNTS} › the address that is written down is the one the operator's proxy gives`,
    ],
  },
  {
    sentence: "Audit rows are bound to each other by their hashes",
    tests: [
      "packages/db/src/audit.test.ts › %s shows in the chain",
      "packages/db/src/audit.test.ts › rows are neither changed nor removed by a statement",
    ],
  },
  {
    sentence: "A WebSocket without a valid token is closed with 4401 within 5 s",
    tests: [
      `${SCOPES} › is refused without a valid token, over every way in`,
      `${ACCESS} › a socket that %s is closed with 4401 within 5 seconds`,
      `${CONNECTIONS} › however many silent sockets come, a caller with a token is heard, and none stays`,
    ],
  },
  {
    sentence: "A limit error names the field to raise: sockets and subscriptions of one token",
    tests: [
      `${CONNECTIONS} › a token has no more sockets open than it may, and gets the place of one that closed`,
      `${CONNECTIONS} › a token follows no more than it may, over sockets and streams together`,
    ],
  },
  {
    sentence: "sessions.rotateEnv replaces the stored values, with effect at the next start",
    tests: [
      "packages/acp-runtime/src/sessions/session-secrets.test.ts › rotated values reach the adapter at its next start, and the audit log names them",
      "packages/acp-runtime/src/sessions/session-secrets.test.ts › rotated values are checked like those of an open, before anything is stored",
    ],
  },
];
