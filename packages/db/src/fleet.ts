import { type Database, prepareCached } from "./database.ts";

export interface FleetChangeRow {
  id: number;
  type: string;
  sessionId: string;
  requestId: string | null;
  detail: string | null;
  timestamp: number;
}

export function readFleetChanges(
  db: Database,
  after: number,
  limit: number,
): Promise<FleetChangeRow[]> {
  return db.read(
    (sqlite) =>
      prepareCached(sqlite, "SELECT * FROM FleetChange WHERE id > ? ORDER BY id LIMIT ?").all(
        after,
        limit,
      ) as FleetChangeRow[],
  );
}

/** The span of changes that can be followed; `latest` is 0 before the first. */
export function readFleetSpan(db: Database): Promise<{ oldest: number; latest: number }> {
  return db.read((sqlite) => {
    const row = prepareCached(
      sqlite,
      "SELECT min(id) AS oldest, max(id) AS latest FROM FleetChange",
    ).get() as { oldest: number | null; latest: number | null };
    const latest = row.latest ?? 0;
    return { oldest: row.oldest ?? latest + 1, latest };
  });
}
