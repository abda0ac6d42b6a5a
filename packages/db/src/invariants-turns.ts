import type { Invariant } from "./invariant.ts";

export const turnInvariants: readonly Invariant[] = [
  {
    name: "one turn at a time",
    sql: `
      SELECT sessionId, NULL AS subject, printf('%d turns run', count(*)) AS message
      FROM Prompt WHERE startedAt IS NOT NULL AND endedAt IS NULL
      GROUP BY sessionId HAVING count(*) > 1`,
  },
  {
    name: "a prompt's fields fit its state",
    sql: `
      SELECT sessionId, promptId AS subject, 'state ' || state || ' does not fit' AS message
      FROM Prompt WHERE NOT CASE state
        WHEN 'queued' THEN startedAt IS NULL AND endedAt IS NULL AND queuedContent IS NOT NULL
        WHEN 'accepted' THEN startedAt IS NOT NULL AND dispatchedAt IS NULL AND endedAt IS NULL
        WHEN 'dispatched' THEN startedAt IS NOT NULL AND dispatchedAt IS NOT NULL AND endedAt IS NULL
        WHEN 'completed' THEN dispatchedAt IS NOT NULL AND endedAt IS NOT NULL
          AND stopReason IS NOT NULL AND error IS NULL
        WHEN 'cancelled' THEN endedAt IS NOT NULL AND stopReason = 'cancelled' AND error IS NULL
        WHEN 'failed' THEN endedAt IS NOT NULL AND stopReason IS NULL AND error IS NOT NULL
        ELSE FALSE END`,
  },
  {
    name: "an ended turn has one end",
    sql: `
      SELECT p.sessionId, p.promptId AS subject,
        printf('state %s, %d ends in history, the row says %s', p.state, count(e.sequence),
          ifnull(p.endSequence, 'none')) AS message
      FROM Prompt p JOIN Session s USING (sessionId) LEFT JOIN Event e
        ON e.sessionId = p.sessionId AND e.promptId = p.promptId AND e.type = '_signalbox/turn_ended'
      WHERE p.endSequence IS NULL OR p.endSequence >= s.oldestSequence
      GROUP BY p.sessionId, p.promptId
      HAVING count(e.sequence) <> (p.endedAt IS NOT NULL)
        OR (p.endedAt IS NOT NULL AND max(e.sequence) IS NOT p.endSequence)`,
  },
  {
    name: "nothing follows the end of a turn",
    sql: `
      SELECT p.sessionId, p.promptId AS subject, e.type || ' after the end' AS message
      FROM Prompt p JOIN Event e ON e.sessionId = p.sessionId AND e.promptId = p.promptId
      WHERE e.sequence > p.endSequence`,
  },
  {
    name: "the user's message comes first",
    sql: `
      SELECT p.sessionId, p.promptId AS subject,
        'the turn begins with ' || ifnull(e.type, 'nothing') AS message
      FROM Prompt p JOIN Session s USING (sessionId) LEFT JOIN Event e
        ON e.sessionId = p.sessionId AND e.sequence = p.startSequence AND e.promptId = p.promptId
      WHERE p.startSequence >= s.oldestSequence AND e.type IS NOT 'user_message_chunk'
      UNION ALL
      SELECT p.sessionId, p.promptId, e.type || ' before the user''s message'
      FROM Prompt p JOIN Event e ON e.sessionId = p.sessionId AND e.promptId = p.promptId
      WHERE e.sequence < p.startSequence AND e.type <> '_signalbox/prompt_queued'
      UNION ALL
      SELECT p.sessionId, p.promptId, e.type || ' of a prompt that never started'
      FROM Prompt p JOIN Event e ON e.sessionId = p.sessionId AND e.promptId = p.promptId
      WHERE p.startSequence IS NULL
        AND e.type NOT IN ('_signalbox/prompt_queued', '_signalbox/turn_ended')`,
  },
  {
    name: "keys are unique",
    sql: `
      SELECT sessionId, min(promptId) AS subject, 'several prompts have this one''s key' AS message
      FROM Prompt WHERE idempotencyKey IS NOT NULL
      GROUP BY sessionId, idempotencyKey HAVING count(*) > 1`,
  },
  {
    name: "a checkpoint is of the turn that runs",
    sql: `
      SELECT m.sessionId, m.promptId AS subject, 'the message''s turn does not run' AS message
      FROM OpenMessage m LEFT JOIN Prompt p
        ON p.sessionId = m.sessionId AND p.promptId = m.promptId
      WHERE p.startedAt IS NULL OR p.endedAt IS NOT NULL`,
  },
];
