-- The result of a turn whose output was pruned, so that a retry is answered as before.
-- AlterTable
ALTER TABLE "Prompt" ADD COLUMN "result" TEXT;

-- Bytes of UTF-8, which is what the limit counts; they were counted as characters until now.
UPDATE "Session" SET "historyBytes" = (
  SELECT ifnull(sum(octet_length("fields")), 0) FROM "Event" WHERE "Event"."sessionId" = "Session"."sessionId"
);
