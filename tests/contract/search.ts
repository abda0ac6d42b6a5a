import type { ContractRow } from "./contract-row.ts";

const SEARCH = "packages/acp-runtime/src/reads/search.test.ts";
const INDEX = "packages/db/src/search.test.ts";
const EXPORT = "packages/acp-runtime/src/reads/export.test.ts";
const SERVER = "tests/integration/search-and-export.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence: "sessions.search: full text, over all sessions when none is named",
    tests: [
      `${SEARCH} › messages, thoughts, tool titles and prompts are found, newest first, with their place`,
      `${SEARCH} › every word counts, the last one from its beginning, without case and accents`,
      `${SEARCH} › words of scripts without spaces are found: %s`,
      `${SEARCH} › nothing of the index's own language is in a query: %j`,
      `${SEARCH} › pages go on where the one before ended, though more is said meanwhile`,
      `${SEARCH} › characters of a script without spaces count in their order`,
      `${SEARCH} › large texts make short pages, and every one of them is found`,
      `${SEARCH} › a cursor that no page gave is refused: %j %j`,
      `${INDEX} › history from before the index is found after its migration`,
      `${SERVER} › what was said is found over the typed client`,
    ],
  },
  {
    sentence: "A hit is readable when answered",
    tests: [
      `${SEARCH} › what was deleted or cut from history is not found, and a reopened id finds its own`,
      `${SEARCH} › an event that is not stored is not found, and a stored one at once`,
      `${SEARCH} › a recovered message is found`,
      `${INDEX} › ten thousand events are found each by its own word, and after cuts and deletions no others`,
    ],
  },
  {
    sentence: "sessions.export: a single-use ticket valid 60 s",
    tests: [
      `${SERVER} › a ticket is good for one download, and says until when`,
      `${SERVER} › a ticket is void when its token is revoked`,
    ],
  },
  {
    sentence: "GET /export with a bearer does the same",
    tests: [
      `${SERVER} › a bearer fetches the same, as a transcript too`,
      `${SERVER} › HEAD answers as GET would, without the file, and uses no ticket up`,
      `${SERVER} › with %s nothing is read`,
      `${SERVER} › a token without scope R is forbidden`,
    ],
  },
  {
    sentence: "An export streams every event, byte-faithful",
    tests: [
      `${EXPORT} › every event is a line, with the numbers and the order of keys that the agent sent`,
      `${EXPORT} › an export ends at the newest event of its beginning, and is read page by page`,
      `${EXPORT} › an export whose rest is cut from history fails instead of leaving it out`,
      `${EXPORT} › a server that stops begins no export`,
      `${SERVER} › a reader who leaves in the middle of a large export frees it, and the server goes on`,
    ],
  },
  {
    sentence: "A transcript in Markdown is escaped",
    tests: [`${EXPORT} › nothing that was said is more than text in a transcript`],
  },
  {
    sentence:
      "Plain routes answer {error: {message, data}}; a used or expired ticket is unauthorized",
    tests: [
      `${SERVER} › a ticket is good for one download, and says until when`,
      `${SERVER} › bad input is told before anything is sent: %s`,
    ],
  },
];
