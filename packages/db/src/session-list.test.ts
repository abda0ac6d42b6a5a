/** How a page of the session list is found: along an index, never by sorting what there is. */
import { expect, test } from "vitest";
import { type SessionFilter, sessionListQuery } from "./sessions.ts";
import { templateDatabase } from "./testing/index.ts";

const INDEX = "USING INDEX Session_updatedAt_sessionId_idx";
const after = { updatedAt: 1, sessionId: "s" };

test.each<[string, Partial<SessionFilter>, string]>([
  ["the first page", {}, `SCAN s ${INDEX}`],
  ["a later page", { after }, `SEARCH s ${INDEX} (updatedAt<?)`],
  ["an agent's first page", { agent: "a" }, `SCAN s ${INDEX}`],
  ["an agent's later page", { agent: "a", after }, `SEARCH s ${INDEX} (updatedAt<?)`],
  ["a later page of those that wait", { status: "waiting", after }, `SEARCH s ${INDEX}`],
])("%s is read in the order of the index, from where it begins", async (_, filter, step) => {
  await using ctx = await templateDatabase();
  const { sql, parameters } = sessionListQuery({ ...filter, limit: 7 });
  const plan = await ctx.db.read((sqlite) =>
    sqlite
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map(({ detail }) => detail),
  );
  expect(plan[0]).toContain(step);
  expect(plan.join("\n")).not.toContain("TEMP B-TREE");
});
