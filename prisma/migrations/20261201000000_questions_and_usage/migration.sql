-- AlterTable
ALTER TABLE "Prompt" ADD COLUMN "usage" TEXT;

-- AlterTable
ALTER TABLE "Token" ADD COLUMN "address" TEXT;
ALTER TABLE "Token" ADD COLUMN "origin" TEXT;

-- CreateTable
CREATE TABLE "Question" (
    "requestId" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "promptId" TEXT,
    "message" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "schema" TEXT,
    "url" TEXT,
    "state" TEXT NOT NULL,
    "action" TEXT,
    "reason" TEXT,
    "resolvedBy" TEXT,
    "requestedAt" BIGINT NOT NULL,
    "resolvedAt" BIGINT,
    "ownerId" TEXT NOT NULL,
    "ownerEpoch" INTEGER NOT NULL,
    CONSTRAINT "Question_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("sessionId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UsageRollup" (
    "sessionId" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "facts" TEXT NOT NULL,

    PRIMARY KEY ("sessionId", "agent", "day")
);

-- CreateIndex
CREATE INDEX "Question_state_requestedAt_requestId_idx" ON "Question"("state", "requestedAt", "requestId");

-- CreateIndex
CREATE INDEX "Question_sessionId_state_idx" ON "Question"("sessionId", "state");

-- CreateIndex
CREATE INDEX "Session_agent_agentSessionId_idx" ON "Session"("agent", "agentSessionId");


-- The audit log only grows. Its rows are chained by hash as well, so that an edit of the file
-- itself shows.
CREATE TRIGGER "Audit_no_update" BEFORE UPDATE ON "Audit"
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER "Audit_no_delete" BEFORE DELETE ON "Audit"
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
