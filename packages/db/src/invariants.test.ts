import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { configureConnection } from "./connection.ts";
import { checkInvariants } from "./invariants.ts";
import { claimNode } from "./nodes.ts";
import { decidePermissionInWrite, openPermissionInWrite } from "./permissions.ts";
import { acceptPromptInWrite, finishPromptInWrite, markDispatched } from "./prompts.ts";
import { answerQuestionInWrite, openQuestionInWrite } from "./questions.ts";
import type { Owner, PermissionRow, QuestionRow } from "./rows.ts";
import {
  appendEventsInWrite,
  foldInWrite,
  type NewEvent,
  saveOpenMessageInWrite,
} from "./session-log.ts";
import { createSessionInWrite } from "./sessions.ts";
import { type TemplateDatabase, templateDatabase } from "./testing/index.ts";

const NOW = 1_000;
const TEXT = JSON.stringify({ content: { type: "text", text: "hello" } });
const ACTOR = { kind: "token", name: "test" } as const;
const OPTIONS = JSON.stringify([{ optionId: "allow", name: "Allow", kind: "allow_once" }]);

/** An ended turn with everything a turn can have, one that runs and waits, and one in the queue. */
async function soundDatabase(): Promise<TemplateDatabase> {
  const database = await templateDatabase();
  const { db } = database;
  const owner = await claimNode(db, "test", NOW);
  const target = { sessionId: "main", ...owner };
  await db.write((sqlite) => {
    const negotiated = {
      agentSessionId: "agent-session-1",
      capabilities: null,
      agentInfo: null,
      fold: {},
    };
    createSessionInWrite(sqlite, { ...SESSION, ...owner }, negotiated, NOW);
    acceptPromptInWrite(sqlite, promptOf("p1", owner), NOW);
  });
  await markDispatched(db, { ...target, promptId: "p1" }, NOW);
  await db.write((sqlite) => {
    const usage = '{"sessionUpdate":"usage_update","used":1.0,"size":2}';
    appendEventsInWrite(sqlite, target, [eventOf("p1", "usage_update", usage)]);
    foldInWrite(sqlite, "main", { usage: '{"used":1,"size":2}' });
    openPermissionInWrite(sqlite, permissionOf("r1", "p1", owner), NOW);
    const row = sqlite.prepare("SELECT * FROM Permission").get() as PermissionRow;
    decidePermissionInWrite(
      sqlite,
      { row, optionId: "allow", actor: ACTOR, address: null, ...owner },
      NOW,
    );
    openQuestionInWrite(sqlite, questionOf("q1", "p1", owner), NOW);
    const question = sqlite.prepare("SELECT * FROM Question").get() as QuestionRow;
    const answer = { action: "decline", fieldNames: null, actor: ACTOR, address: null } as const;
    answerQuestionInWrite(sqlite, { row: question, ...answer, ...owner }, NOW);
    const { lastSequence } = appendEventsInWrite(sqlite, target, [
      eventOf("p1", "_signalbox/turn_ended", '{"stopReason":"end_turn","openToolCalls":[]}'),
    ]);
    const end = { promptId: "p1", sessionId: "main", state: "completed", error: null } as const;
    finishPromptInWrite(
      sqlite,
      { ...end, stopReason: "end_turn", usage: null, endSequence: lastSequence },
      NOW,
    );
    acceptPromptInWrite(sqlite, promptOf("p2", owner), NOW);
    openPermissionInWrite(sqlite, permissionOf("r2", "p2", owner), NOW);
    acceptPromptInWrite(sqlite, promptOf("p3", owner), NOW);
    const message = { sessionId: "main", promptId: "p2", type: "agent_message_chunk" };
    saveOpenMessageInWrite(sqlite, { ...message, fields: TEXT }, NOW);
  });
  return database;
}

const SESSION = {
  sessionId: "main",
  agent: "demo",
  cwd: "/",
  additionalDirectories: "[]",
  mcpServers: "[]",
  permissionPolicy: "ask",
  skipOsInstructions: false,
  additionalInstructions: "",
  adopt: null,
  envSealed: null,
};

function eventOf(promptId: string, type: string, fields = TEXT): NewEvent {
  return { type, promptId, fields, timestamp: NOW };
}

function promptOf(promptId: string, owner: Owner) {
  return {
    promptId,
    sessionId: "main",
    idempotencyKey: `key of ${promptId}`,
    contentHash: promptId,
    content: "[]",
    events: [eventOf(promptId, "user_message_chunk")],
    whenBusy: "queue" as const,
    maxQueued: 10,
    assertNew: () => undefined,
    ...owner,
  };
}

function permissionOf(requestId: string, promptId: string, owner: Owner) {
  return {
    requestId,
    sessionId: "main",
    promptId,
    toolCallId: null,
    toolCall: "{}",
    options: OPTIONS,
    digest: "d",
    fields: JSON.stringify({ requestId, options: JSON.parse(OPTIONS), toolCall: {}, digest: "d" }),
    ...owner,
  };
}

function questionOf(requestId: string, promptId: string, owner: Owner) {
  const fields = JSON.stringify({ requestId, message: "?", mode: "form", schema: {} });
  const shown = { message: "?", mode: "form", schema: "{}", url: null } as const;
  return { requestId, sessionId: "main", promptId, ...shown, fields, ...owner };
}

/** A connection that lets a hand do what no constraint of the file would. */
function unguarded(file: string): SqliteDatabase.Database {
  const raw = new SqliteDatabase(file);
  configureConnection(raw);
  raw.pragma("foreign_keys = OFF");
  raw.exec(`DROP INDEX Prompt_one_running; DROP INDEX Prompt_key;
    DROP TRIGGER Audit_no_update; DROP TRIGGER Audit_no_delete;`);
  return raw;
}

const limits = { maxPendingPermissionsPerSession: 1, maxQueuedPromptsPerSession: 1 };

test("a sound file has no violations", async () => {
  await using database = await soundDatabase();
  expect(await database.db.read((sqlite) => checkInvariants(sqlite, limits))).toEqual([]);
});

const RESPONSE = "type = 'permission_response'";
const ADD_EVENT =
  "INSERT INTO Event SELECT sessionId, 90, promptId, type, fields, timestamp FROM Event WHERE";

test.each([
  ["a missing event", "sequences are gapless", "DELETE FROM Event WHERE sequence = 2"],
  ["an event too many", "sequences are gapless", `${ADD_EVENT} sequence = 2`],
  [
    "a wrong latest sequence",
    "sequences are gapless",
    "UPDATE Session SET latestSequence = latestSequence + 1",
  ],
  [
    "a sequence that a deleted session had",
    "no sequence is used twice",
    "INSERT INTO Tombstone VALUES ('main', 1, 0)",
  ],
  ["miscounted bytes", "history size is counted", "UPDATE Session SET historyBytes = 1"],
  [
    "stderr in history",
    "nothing ephemeral is stored",
    "UPDATE Event SET type = '_signalbox/stderr' WHERE sequence = 2",
  ],
  [
    "the agent's session id in an event",
    "private ids stay private",
    `UPDATE Event SET fields = '{"a":"agent-session-1"}' WHERE sequence = 2`,
  ],
  [
    "the agent's session id in a request",
    "private ids stay private",
    `UPDATE Permission SET toolCall = '{"a":"agent-session-1"}'`,
  ],
  [
    "a prompt of an owner to come",
    "owners come later, never earlier",
    "UPDATE Prompt SET ownerEpoch = 9",
  ],
  [
    "a session of an owner to come",
    "owners come later, never earlier",
    "UPDATE Session SET ownerEpoch = 9",
  ],
  ["a stale fold", "folds equal the last event", `UPDATE Session SET usage = '{"used":2}'`],
  ["a second turn that runs", "one turn at a time", "UPDATE Prompt SET startedAt = 1"],
  [
    "an end without a reason",
    "a prompt's fields fit its state",
    "UPDATE Prompt SET stopReason = NULL WHERE promptId = 'p1'",
  ],
  [
    "an unknown state",
    "a prompt's fields fit its state",
    "UPDATE Prompt SET state = 'lost' WHERE promptId = 'p1'",
  ],
  [
    "an end without an event",
    "an ended turn has one end",
    "UPDATE Event SET type = 'other' WHERE type = '_signalbox/turn_ended'",
  ],
  [
    "two ends of a turn",
    "an ended turn has one end",
    "UPDATE Event SET type = '_signalbox/turn_ended' WHERE sequence = 2",
  ],
  [
    "output behind the end",
    "nothing follows the end of a turn",
    "UPDATE Event SET promptId = 'p1' WHERE promptId = 'p2'",
  ],
  [
    "a turn that begins with something else",
    "the user's message comes first",
    "UPDATE Event SET type = 'agent_message_chunk' WHERE sequence = 1",
  ],
  [
    "output before the user's message",
    "the user's message comes first",
    "UPDATE Event SET promptId = 'p2' WHERE sequence = 2",
  ],
  [
    "output of a prompt that waits",
    "the user's message comes first",
    "UPDATE Event SET promptId = 'p3' WHERE sequence = 2",
  ],
  ["a key used twice", "keys are unique", "UPDATE Prompt SET idempotencyKey = 'k'"],
  [
    "a checkpoint of an ended turn",
    "a checkpoint is of the turn that runs",
    "UPDATE OpenMessage SET promptId = 'p1'",
  ],
  [
    "a decided request without its end",
    "a request ends once",
    `UPDATE Event SET type = 'other' WHERE ${RESPONSE}`,
  ],
  ["a request that ended twice", "a request ends once", `${ADD_EVENT} ${RESPONSE}`],
  [
    "a question that ended twice",
    "a request ends once",
    `${ADD_EVENT} type = '_signalbox/question_response'`,
  ],
  [
    "a request that outlives its turn",
    "a request does not outlive its turn",
    "UPDATE Permission SET promptId = 'p1'",
  ],
  [
    "a request without a row",
    "a request has its row",
    "DELETE FROM Permission WHERE requestId = 'r2'",
  ],
  [
    "a decision for something else",
    "a decision is one that was offered",
    `UPDATE Permission SET outcome = '{"outcome":"selected","optionId":"x"}' WHERE requestId = 'r1'`,
  ],
  [
    "a decision nobody wrote down",
    "a decision is in the audit log",
    "DELETE FROM Audit WHERE action = 'permissions.respond'",
  ],
  ["an edited audit row", "audit chain", "UPDATE Audit SET actorName = 'someone else'"],
  ["an orphan", "foreign keys", "UPDATE OpenMessage SET sessionId = 'nowhere'"],
  [
    "too many requests",
    "limits",
    "UPDATE Permission SET state = 'pending', sessionId = 'main', promptId = NULL",
  ],
  [
    "a column that breaks the schema",
    "file integrity",
    "PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '\"title\" TEXT', '\"title\" TEXT NOT NULL') WHERE name = 'Session'",
  ],
])("%s is found: %s", async (_what, invariant, sql) => {
  await using database = await soundDatabase();
  const raw = unguarded(database.file);
  raw.unsafeMode(true);
  raw.exec(sql);
  raw.close();
  expect(violationsOf(database.file)).toContain(invariant);
});

function violationsOf(file: string, weaken?: string): string[] {
  const raw = new SqliteDatabase(file, { readonly: true });
  try {
    configureConnection(raw);
    if (weaken !== undefined) raw.pragma(weaken);
    return checkInvariants(raw, limits).map(({ invariant }) => invariant);
  } finally {
    raw.close();
  }
}

test("a connection with weaker settings is found", async () => {
  await using database = await soundDatabase();
  expect(violationsOf(database.file, "synchronous = NORMAL")).toEqual(["connection settings"]);
});
