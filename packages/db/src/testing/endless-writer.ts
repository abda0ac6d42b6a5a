// Writes numbered settings, four at a time, and prints each number once its write has settled.

import { openDatabase, prepareCached } from "../database.ts";

const db = await openDatabase({
  file: String(process.argv[2]),
  migrationsDir: String(process.argv[3]),
});

async function writeFrom(first: number): Promise<void> {
  for (let name = first; ; name += 4) {
    await db.write((sqlite) =>
      prepareCached(sqlite, "INSERT INTO Setting (name, value) VALUES (?, '')").run(String(name)),
    );
    process.stdout.write(`${name}\n`);
  }
}

process.stdin.on("end", () => process.exit(0)).resume();
await Promise.all([0, 1, 2, 3].map(writeFrom));
