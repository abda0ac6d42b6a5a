import type { ContractRow } from "./contract-row.ts";

const WINDOW = "packages/acp-runtime/src/reads/event-window.test.ts";
const FOLLOW = "packages/acp-runtime/src/reads/follow-session.test.ts";
const EXACT = "tests/integration/exact-events.test.ts";

export const rows: readonly ContractRow[] = [
  {
    sentence:
      "Unknown kinds and extra fields leave with the same JSON value, key order and number text",
    tests: [
      `${EXACT} › over HTTP`,
      `${EXACT} › over HTTP in a batch`,
      `${EXACT} › over a WebSocket`,
      `${EXACT} › in a subscription over a WebSocket`,
      `${EXACT} › in a subscription over HTTP`,
      "packages/api/src/exact-json.test.ts › it does so in whatever pieces the answer is written",
    ],
  },
  {
    sentence: "A thousand subscribers cost one read and one encoding of each event",
    tests: [
      `${WINDOW} › a thousand readers of one session cost one read and one text of each event`,
      `${WINDOW} › readers at one place share a read; one who is elsewhere reads for itself`,
      `${WINDOW} › what is shared stays within its bounds, in whatever order it is read`,
    ],
  },
  {
    sentence: "A slow reader costs bounded memory and loses nothing durable",
    tests: [
      "tests/integration/stalled-reader.test.ts › readers that stall cost the server little, lose nothing, and hold up nobody",
    ],
  },
  {
    sentence: "A subscriber resumes by cursor at every position with no gap and no repeat",
    tests: [
      `${FOLLOW} › a reader that hangs up at every position of a turn misses nothing and sees nothing twice`,
      `${FOLLOW} › readers that drop their connection at random during a turn see the same story`,
      "tests/integration/resume.test.ts › a finished turn can be resumed from every cursor that was ever handed out",
    ],
  },
  {
    sentence: "A late joiner gets the open message from its beginning",
    tests: [
      `${FOLLOW} › a late reader gets the message in progress from its beginning`,
      "tests/integration/resume.test.ts › a subscriber that joins in a message gets it from its beginning",
    ],
  },
  {
    sentence:
      "Cursors of another session, unreadable, expired or ahead are refused with their own code",
    tests: [
      `${FOLLOW} › cursors that cannot be followed are refused with their reason`,
      "tests/integration/resume.test.ts › neither a cursor of another session nor one from before a delete is taken",
    ],
  },
  {
    sentence: "A session deleted while followed ends the stream with session_not_found",
    tests: [
      "tests/integration/resume.test.ts › deleting a session ends its followers with session_not_found",
    ],
  },
  {
    sentence: "fleet.events resumes too",
    tests: [
      `${FOLLOW} › the fleet feed tells of sessions and permissions and goes on from its cursor`,
      `${FOLLOW} › a fleet watcher that was away across a restart is told how things are now`,
      "tests/integration/fleet.test.ts › a follower of all sessions goes on over a kill and a restart",
    ],
  },
];
