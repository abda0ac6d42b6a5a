-- Adapters that ended unasked, by session: rare rows among very many. A partial index, so that no
-- other event writes to it; Prisma's schema language cannot say that, and its diff does not look.
CREATE INDEX "Event_crash" ON "Event"("sessionId", "sequence")
  WHERE "type" = '_signalbox/adapter_exited';
