import path from "node:path";
import { defineConfig } from "prisma/config";

// Prisma's commands want a native engine that npm does not carry and would download at first use.
// The stand-in below runs Prisma's own WebAssembly engine instead, so that a build needs no network.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ||= path.resolve(
  import.meta.dirname,
  "tooling/schema-engine-shim.mjs",
);

export default defineConfig({
  // SQLite's full-text index and the tables it keeps itself stand in the migrations alone.
  experimental: { externalTables: true },
  tables: {
    external: [
      "Search",
      "Search_config",
      "Search_content",
      "Search_data",
      "Search_docsize",
      "Search_idx",
    ],
  },
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // For development commands only; a running server opens the file its settings name.
  datasource: { url: process.env.DATABASE_URL ?? "file:./.signalbox/prisma-dev.db" },
});
