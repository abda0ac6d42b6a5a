import type { ContractRow } from "./contract-row.ts";

const EVIL = "tests/e2e/evil-origin.journey.ts";
const HOSTILE = "tests/e2e/hostile.journey.ts";
const INBOX = "tests/e2e/inbox.journey.ts";
const ACCESS = "tests/integration/access.test.ts";
const PERMISSIONS = "tests/integration/permissions.test.ts";
const TEXT_SIZE = "apps/console/src/features/session/content/text-size.test.ts";
const FLOW = "no page of another origin reaches a procedure, whatever it tries, even with a token";
const CORPUS =
  "a thousand hostile messages run nothing, load nothing, report nothing and pass for nothing";

/** What keeps the console safe in a browser, by the numbers of the threat model. */
export const rows: readonly ContractRow[] = [
  {
    sentence:
      "S6 The console's login is bound to its origin, port included, and travels in a header",
    tests: [`${EVIL} › the login of the console is good on its own origin alone, port included`],
  },
  {
    sentence: "S10 Only names of this server are answered, whatever a name resolves to",
    tests: [
      `${EVIL} › ${FLOW}`,
      `${ACCESS} › %s: a call is forbidden`,
      `${ACCESS} › %s: health and any other path are forbidden`,
      `${ACCESS} › %s: an upgrade is forbidden`,
    ],
  },
  {
    sentence:
      "S11 A foreign or null Origin is refused before a procedure, by call, form, stream and socket",
    tests: [`${EVIL} › ${FLOW}`, `${ACCESS} › %s: an upgrade is forbidden`],
  },
  {
    sentence:
      "S17 A strict policy: nothing inline, nothing remote, no frame around; no report under attack",
    tests: [`${HOSTILE} › ${CORPUS}`, `${EVIL} › ${FLOW}`],
  },
  {
    sentence:
      "S18 Markdown draws no HTML and no remote image, and its links lead to the web alone, with their host",
    tests: [
      `${HOSTILE} › ${CORPUS}`,
      "apps/console/src/features/session/content/markdown-blocks.test.ts › %s is no link",
    ],
  },
  {
    sentence:
      "S19 Cards are drawn from requests alone; what hides in a command, path or option shows",
    tests: [
      `${HOSTILE} › ${CORPUS}`,
      `${HOSTILE} › what hides in a command, a path or an option shows to whoever decides`,
    ],
  },
  {
    sentence:
      "S20 An answer names the digest of what was shown; another one is refused and decides nothing",
    tests: [
      `${PERMISSIONS} › an answer that was not offered, or to another question, leaves the request open`,
    ],
  },
  {
    sentence:
      "S21 No frame around the console, and a key that was meant for something else decides nothing",
    tests: [
      `${EVIL} › ${FLOW}`,
      `${INBOX} › twenty-five requests of ten sessions are worked through by keys, and the selection never jumps`,
    ],
  },
  {
    sentence:
      "S38 A text that a parser would choke on is shown plain, and a failure of it stays in its place",
    tests: [
      `${TEXT_SIZE} › what is %j over and over is no prose`,
      `${TEXT_SIZE} › many of %s are no prose`,
      `${HOSTILE} › ${CORPUS}`,
    ],
  },
];
