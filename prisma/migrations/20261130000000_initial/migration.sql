-- CreateTable
CREATE TABLE "Node" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "epoch" INTEGER NOT NULL,
    "startedAt" BIGINT NOT NULL,
    "lastSeenAt" BIGINT NOT NULL,
    "version" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Setting" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Session" (
    "sessionId" TEXT NOT NULL PRIMARY KEY,
    "incarnation" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "cwd" TEXT NOT NULL,
    "permissionPolicy" TEXT NOT NULL,
    "agentSessionId" TEXT,
    "title" TEXT,
    "usage" TEXT,
    "latestSequence" INTEGER NOT NULL,
    "oldestSequence" INTEGER NOT NULL,
    "historyBytes" BIGINT NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "createdAt" BIGINT NOT NULL,
    "updatedAt" BIGINT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "ownerEpoch" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "SessionDetail" (
    "sessionId" TEXT NOT NULL PRIMARY KEY,
    "additionalDirectories" TEXT NOT NULL,
    "mcpServers" TEXT NOT NULL,
    "skipOsInstructions" BOOLEAN NOT NULL,
    "additionalInstructions" TEXT NOT NULL,
    "adopt" TEXT,
    "envSealed" TEXT,
    "metadata" TEXT,
    "configRevision" INTEGER NOT NULL DEFAULT 0,
    "configOptions" TEXT NOT NULL DEFAULT '[]',
    "modes" TEXT,
    "availableCommands" TEXT NOT NULL DEFAULT '[]',
    "capabilities" TEXT,
    "agentInfo" TEXT,
    CONSTRAINT "SessionDetail_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("sessionId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Prompt" (
    "sessionId" TEXT NOT NULL,
    "promptId" TEXT NOT NULL,
    "idempotencyKey" TEXT,
    "contentHash" TEXT NOT NULL,
    "queuedContent" TEXT,
    "state" TEXT NOT NULL,
    "acceptedSequence" INTEGER NOT NULL,
    "startSequence" INTEGER,
    "endSequence" INTEGER,
    "stopReason" TEXT,
    "error" TEXT,
    "queuedAt" BIGINT,
    "startedAt" BIGINT,
    "dispatchedAt" BIGINT,
    "endedAt" BIGINT,
    "createdAt" BIGINT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "ownerEpoch" INTEGER NOT NULL,

    PRIMARY KEY ("sessionId", "promptId"),
    CONSTRAINT "Prompt_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("sessionId") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "Event" (
    "sessionId" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "promptId" TEXT,
    "type" TEXT NOT NULL,
    "fields" TEXT NOT NULL,
    "timestamp" BIGINT NOT NULL,

    PRIMARY KEY ("sessionId", "sequence"),
    CONSTRAINT "Event_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("sessionId") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "OpenMessage" (
    "sessionId" TEXT NOT NULL PRIMARY KEY,
    "promptId" TEXT,
    "type" TEXT NOT NULL,
    "fields" TEXT NOT NULL,
    "updatedAt" BIGINT NOT NULL,
    CONSTRAINT "OpenMessage_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("sessionId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Permission" (
    "requestId" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "promptId" TEXT,
    "toolCallId" TEXT,
    "toolCall" TEXT NOT NULL,
    "options" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "outcome" TEXT,
    "reason" TEXT,
    "resolvedBy" TEXT,
    "requestedAt" BIGINT NOT NULL,
    "resolvedAt" BIGINT,
    "ownerId" TEXT NOT NULL,
    "ownerEpoch" INTEGER NOT NULL,
    CONSTRAINT "Permission_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("sessionId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Tombstone" (
    "sessionId" TEXT NOT NULL PRIMARY KEY,
    "lastSequence" INTEGER NOT NULL,
    "deletedAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "PermissionTombstone" (
    "requestId" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "resolvedBy" TEXT,
    "endedAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "Token" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "lastUsedAt" BIGINT,
    "expiresAt" BIGINT,
    "revokedAt" BIGINT
);

-- CreateTable
CREATE TABLE "Audit" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "timestamp" BIGINT NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorName" TEXT NOT NULL,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "sessionId" TEXT,
    "target" TEXT,
    "outcome" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "Session_updatedAt_sessionId_idx" ON "Session"("updatedAt" DESC, "sessionId");

-- CreateIndex
CREATE INDEX "Permission_state_requestedAt_requestId_idx" ON "Permission"("state", "requestedAt", "requestId");

-- CreateIndex
CREATE INDEX "Permission_sessionId_state_idx" ON "Permission"("sessionId", "state");

-- CreateIndex
CREATE INDEX "PermissionTombstone_endedAt_idx" ON "PermissionTombstone"("endedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Token_secretHash_key" ON "Token"("secretHash");

-- CreateIndex
CREATE INDEX "Audit_sessionId_id_idx" ON "Audit"("sessionId", "id");

-- What Prisma's schema language cannot say, and its diff does not look at: WITHOUT ROWID above
-- (rows are stored in the order of their key, so a commit writes fewer pages), and the partial
-- indexes below. Their conditions leave the dispatch mark out, so setting it touches no index.

-- One running turn per session, whatever the code above believes.
CREATE UNIQUE INDEX "Prompt_one_running" ON "Prompt"("sessionId")
  WHERE "startedAt" IS NOT NULL AND "endedAt" IS NULL;

-- The queue of each session, in order.
CREATE INDEX "Prompt_queue" ON "Prompt"("sessionId", "acceptedSequence")
  WHERE "startedAt" IS NULL AND "endedAt" IS NULL;

-- One prompt for each idempotency key of a session.
CREATE UNIQUE INDEX "Prompt_key" ON "Prompt"("sessionId", "idempotencyKey")
  WHERE "idempotencyKey" IS NOT NULL;
