import { type Database, prepareCached } from "./database.ts";

/** Pages in the database, free ones included. */
export function readDatabaseBytes(db: Database): Promise<number> {
  return db.read((sqlite) => {
    const pages = prepareCached(
      sqlite,
      "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
    ).get() as { bytes: number };
    return pages.bytes;
  });
}
