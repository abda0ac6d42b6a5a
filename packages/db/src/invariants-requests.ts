import type { Invariant } from "./invariant.ts";

interface RequestKind {
  readonly table: "Permission" | "Question";
  readonly requestType: string;
  readonly responseType: string;
}

/** Permission requests and questions live by the same rules. */
function invariantsOf({ table, requestType, responseType }: RequestKind): Invariant[] {
  const idOf = (alias: string) => `json_extract(${alias}.fields, '$.requestId')`;
  const responses = `(SELECT sessionId, json_extract(fields, '$.requestId') AS requestId,
      count(*) AS count, max(sequence) AS sequence FROM Event
    WHERE type = '${responseType}' AND json_valid(fields) GROUP BY 1, 2)`;
  return [
    {
      name: "a request ends once",
      sql: `
        SELECT r.sessionId, r.requestId AS subject,
          printf('state %s with %d ends', r.state, ifnull(e.count, 0)) AS message
        FROM ${table} r
        JOIN Event q ON q.sessionId = r.sessionId AND q.type = '${requestType}'
          AND json_valid(q.fields) AND ${idOf("q")} = r.requestId
        LEFT JOIN ${responses} e ON e.sessionId = r.sessionId AND e.requestId = r.requestId
        WHERE ifnull(e.count, 0) <> (r.state <> 'pending') OR e.sequence < q.sequence
        UNION ALL
        SELECT sessionId, requestId, printf('%d ends', count) FROM ${responses} WHERE count > 1`,
    },
    {
      name: "a request does not outlive its turn",
      sql: `
        SELECT r.sessionId, r.requestId AS subject, 'pending after the end of its turn' AS message
        FROM ${table} r JOIN Prompt p ON p.sessionId = r.sessionId AND p.promptId = r.promptId
        WHERE r.state = 'pending' AND p.endedAt IS NOT NULL`,
    },
    {
      name: "a request has its row",
      sql: `
        SELECT e.sessionId, CAST(e.sequence AS TEXT) AS subject, e.type || ' without a row' AS message
        FROM Event e LEFT JOIN ${table} r
          ON r.sessionId = e.sessionId AND r.requestId = ${idOf("e")}
        WHERE e.type IN ('${requestType}', '${responseType}') AND json_valid(e.fields)
          AND r.requestId IS NULL`,
    },
  ];
}

export const requestInvariants: readonly Invariant[] = [
  ...invariantsOf({
    table: "Permission",
    requestType: "permission_request",
    responseType: "permission_response",
  }),
  ...invariantsOf({
    table: "Question",
    requestType: "_signalbox/question_request",
    responseType: "_signalbox/question_response",
  }),
  {
    name: "a decision is one that was offered",
    sql: `
      SELECT sessionId, requestId AS subject, 'decided for an option that was not offered' AS message
      FROM Permission WHERE state = 'decided' AND NOT EXISTS (
        SELECT 1 FROM json_each(options)
        WHERE json_extract(value, '$.optionId') = json_extract(outcome, '$.optionId'))`,
  },
  {
    name: "a decision is in the audit log",
    sql: `
      SELECT r.sessionId, r.requestId AS subject, printf('%d audit rows', count(a.id)) AS message
      FROM Permission r LEFT JOIN Audit a
        ON a.target = r.requestId AND a.action = 'permissions.respond' AND a.outcome = 'ok'
      WHERE r.state = 'decided' GROUP BY r.requestId HAVING count(a.id) <> 1`,
  },
];
