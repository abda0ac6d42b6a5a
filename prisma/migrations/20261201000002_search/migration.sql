-- Full text of what people and agents said. The words alone are stored, not the text: a hit is read
-- from its event. A row's number is the session's number here and the event's sequence.
CREATE TABLE "SearchSession" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sessionId" TEXT NOT NULL
);

CREATE UNIQUE INDEX "SearchSession_sessionId_key" ON "SearchSession"("sessionId");

CREATE VIRTUAL TABLE "Search" USING fts5(
    text,
    content = '',
    contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2'
);

-- What is removed from history cannot be found, whoever removes it.
CREATE TRIGGER "Event_leaves_search" AFTER DELETE ON "Event"
WHEN OLD."type" IN ('user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update')
BEGIN
  DELETE FROM "Search" WHERE rowid = (
    SELECT ("id" << 32) | OLD."sequence" FROM "SearchSession" WHERE "sessionId" = OLD."sessionId"
  );
END;

-- History from before the index.
INSERT INTO "SearchSession" ("sessionId") SELECT "sessionId" FROM "Session" ORDER BY "createdAt";

INSERT INTO "Search" (rowid, text)
SELECT (s."id" << 32) | e."sequence",
       CASE WHEN e."type" LIKE 'tool_call%' THEN json_extract(e."fields", '$.title')
            ELSE json_extract(e."fields", '$.content.text') END AS said
FROM "Event" e JOIN "SearchSession" s ON s."sessionId" = e."sessionId"
WHERE e."type" IN ('user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update')
  AND json_valid(e."fields") AND said IS NOT NULL AND said <> '';
