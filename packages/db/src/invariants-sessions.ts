import type { Invariant } from "./invariant.ts";

/** A private id shorter than this may stand in a payload by chance. */
const MIN_PRIVATE_ID_CHARACTERS = 8;

export const sessionInvariants: readonly Invariant[] = [
  {
    name: "sequences are gapless",
    sql: `
      SELECT s.sessionId, NULL AS subject,
        printf('%d events from %d to %d where the row says %d to %d', count(e.sequence),
          min(e.sequence), max(e.sequence), s.oldestSequence, s.latestSequence) AS message
      FROM Session s LEFT JOIN Event e USING (sessionId) GROUP BY s.sessionId
      HAVING count(e.sequence) <> s.latestSequence - s.oldestSequence + 1
        OR min(e.sequence) <> s.oldestSequence OR max(e.sequence) <> s.latestSequence`,
  },
  {
    name: "no sequence is used twice",
    sql: `
      SELECT s.sessionId, NULL AS subject,
        printf('history begins at %d, a deleted session of this id had reached %d',
          s.oldestSequence, t.lastSequence) AS message
      FROM Session s JOIN Tombstone t USING (sessionId) WHERE s.oldestSequence <= t.lastSequence`,
  },
  {
    name: "history size is counted",
    sql: `
      SELECT s.sessionId, NULL AS subject, printf('%d bytes are counted, %d are stored',
          s.historyBytes, ifnull(sum(octet_length(e.fields)), 0)) AS message
      FROM Session s LEFT JOIN Event e USING (sessionId) GROUP BY s.sessionId
      HAVING s.historyBytes <> ifnull(sum(octet_length(e.fields)), 0)`,
  },
  {
    name: "nothing ephemeral is stored",
    sql: `
      SELECT sessionId, CAST(sequence AS TEXT) AS subject, type || ' is live only' AS message
      FROM Event WHERE type = '_signalbox/stderr'`,
  },
  {
    name: "private ids stay private",
    sql: `
      SELECT s.sessionId, CAST(e.sequence AS TEXT) AS subject,
        'the event holds the agent''s own session id' AS message
      FROM Event e JOIN Session s USING (sessionId)
      WHERE length(s.agentSessionId) >= ${MIN_PRIVATE_ID_CHARACTERS}
        AND instr(e.fields, json_quote(s.agentSessionId)) > 0
      UNION ALL
      SELECT s.sessionId, p.requestId, 'the request holds the agent''s own session id'
      FROM Permission p JOIN Session s USING (sessionId)
      WHERE length(s.agentSessionId) >= ${MIN_PRIVATE_ID_CHARACTERS}
        AND instr(p.toolCall || p.options, json_quote(s.agentSessionId)) > 0`,
  },
  {
    name: "owners come later, never earlier",
    sql: `
      SELECT s.sessionId, NULL AS subject,
        printf('epoch %d of a node at epoch %d', s.ownerEpoch, n.epoch) AS message
      FROM Session s JOIN Node n ON n.id = s.ownerId WHERE s.ownerEpoch > n.epoch
      UNION ALL
      SELECT p.sessionId, p.promptId,
        printf('a prompt of epoch %d in a session of epoch %d', p.ownerEpoch, s.ownerEpoch)
      FROM Prompt p JOIN Session s USING (sessionId)
      WHERE p.ownerId = s.ownerId AND p.ownerEpoch > s.ownerEpoch`,
  },
];
