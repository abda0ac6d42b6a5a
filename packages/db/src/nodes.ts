import { randomUUID } from "node:crypto";
import { type Database, prepareCached } from "./database.ts";
import type { Owner } from "./rows.ts";

const LOCAL_NODE = "local";

/**
 * Registers this start of the server and takes over every session: from now on a write of an
 * earlier start finds no row.
 */
export function claimNode(db: Database, version: string, now: number): Promise<Owner> {
  return db.write((sqlite) => {
    const row = prepareCached(
      sqlite,
      `INSERT INTO Node (id, epoch, startedAt, lastSeenAt, version) VALUES (?, 1, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1, startedAt = excluded.startedAt,
         lastSeenAt = excluded.lastSeenAt, version = excluded.version
       RETURNING epoch`,
    ).get(LOCAL_NODE, now, now, version) as { epoch: number };
    const owner = { ownerId: LOCAL_NODE, ownerEpoch: row.epoch };
    prepareCached(sqlite, "UPDATE Session SET ownerId = ?, ownerEpoch = ?").run(
      owner.ownerId,
      owner.ownerEpoch,
    );
    return owner;
  });
}

/** A short id of this data folder, made once; marks the processes that belong to it. */
export async function dataFolderId(db: Database): Promise<string> {
  const name = "dataFolderId";
  const found = await db.prisma.setting.findUnique({ where: { name } });
  if (found) return found.value;
  const value = randomUUID().slice(0, 13);
  await db.prisma.setting.create({ data: { name, value } });
  return value;
}
