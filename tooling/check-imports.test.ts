import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkImports, readImports } from "./check-imports.mjs";

const MANIFESTS = {
  "packages/protocol": { name: "@signalbox/protocol", exports: { ".": "./src/index.ts" } },
  "packages/db": {
    name: "@signalbox/db",
    exports: { ".": "./src/index.ts" },
    dependencies: { "@signalbox/protocol": "1", "better-sqlite3": "1" },
  },
  "packages/api": {
    name: "@signalbox/api",
    exports: { ".": "./src/index.ts" },
    dependencies: { "@signalbox/db": "1", zod: "1" },
  },
  "apps/console": {
    name: "@signalbox/console",
    dependencies: { "@signalbox/api": "1", "@signalbox/db": "1" },
  },
};

/** A small repository in which every rule is kept, with `files` laid over it. */
function violationsOf(files: Record<string, string>) {
  const root = mkdtempSync(path.join(tmpdir(), "signalbox-imports-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const manifests = Object.entries(MANIFESTS).map(([dir, manifest]) => [
    `${dir}/package.json`,
    JSON.stringify(manifest),
  ]);
  const sound = {
    "packages/db/src/index.ts":
      'import Database from "better-sqlite3";\nimport { z } from "@signalbox/protocol";\n',
    "apps/console/src/api.ts": 'import type { Router } from "@signalbox/api";\n',
    "apps/console/src/app/page.tsx": "export default function Page() {}\n",
    "apps/server/src/settings.ts": "export const home = process.env.HOME;\n",
  };
  for (const [file, text] of [...manifests, ...Object.entries({ ...sound, ...files })]) {
    const target = path.join(root, file ?? "");
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text ?? "");
  }
  return checkImports(root).violations;
}

test("a tree that keeps every rule has no violations", () => {
  expect(violationsOf({})).toEqual([]);
});

describe("each rule names the file, the line and the reason", () => {
  test.for([
    [
      "an import against the line",
      "packages/db/src/bad.ts",
      'const one = 1;\nimport { router } from "@signalbox/api";',
      ":2: packages/db may not import @signalbox/api",
    ],
    [
      "a value import where only types may pass",
      "apps/console/src/bad.ts",
      'import {\n  type Router,\n  router,\n} from "@signalbox/api";',
      ':1: apps/console may import @signalbox/api with "import type" only',
    ],
    [
      "an import whose every name is a type but which stays at run time",
      "apps/console/src/bad.ts",
      'import { type Router } from "@signalbox/api";',
      ':1: apps/console may import @signalbox/api with "import type" only',
    ],
    [
      "a dynamic import",
      "apps/console/src/bad.ts",
      'const api = await import("@signalbox/api");',
      ':1: apps/console may import @signalbox/api with "import type" only',
    ],
    [
      "a re-export",
      "packages/db/src/bad.ts",
      'export * from "@signalbox/api";',
      ":1: packages/db may not import @signalbox/api",
    ],
    [
      "a path into another package",
      "packages/api/src/bad.ts",
      'import { rows } from "../../db/src/rows.ts";',
      ":1: ../../db/src/rows.ts leaves packages/api: import the package by its name",
    ],
    [
      "a path from outside into a package",
      "tests/bad.ts",
      'import { rows } from "../packages/db/src/rows.ts";',
      ":1: ../packages/db/src/rows.ts reaches into packages/db: import @signalbox/db",
    ],
    [
      "a subpath that is not exported",
      "packages/api/src/bad.ts",
      'import { rows } from "@signalbox/db/src/rows.ts";',
      ":1: @signalbox/db/src/rows.ts is not among the exports of @signalbox/db",
    ],
    [
      "a package that is not declared",
      "packages/api/src/bad.ts",
      'import { nanoid } from "nanoid/non-secure";',
      ":1: nanoid is not a dependency in packages/api/package.json",
    ],
    [
      "the ACP SDK outside the runtime",
      "packages/db/src/bad.ts",
      'import type { Agent } from "@agentclientprotocol/sdk";',
      ":1: only packages/acp-runtime and packages/demo-agent may import the ACP SDK (@agentclientprotocol/sdk)",
    ],
    [
      "the database driver outside the database package",
      "packages/api/src/bad.ts",
      'import Database from "better-sqlite3";',
      ":1: only packages/db may import Prisma and the SQLite driver (better-sqlite3)",
    ],
    [
      "the environment read outside the settings",
      "packages/api/src/bad.ts",
      "// process.env in a comment is fine\nexport const home = process.env.HOME;",
      ":2: only the server's settings may read the environment",
    ],
    [
      "a default export",
      "packages/api/src/bad.ts",
      "export default 1;",
      ":1: default exports are for Next and configuration files",
    ],
    ["a long file", "packages/api/src/bad.ts", "//\n".repeat(401), ":1: 401 lines, limit 400"],
  ] as const)("%s", ([, file, source, reason]) => {
    expect(violationsOf({ [file]: `${source}\n` })).toContain(`${file}${reason}`);
  });
});

test("imports in comments are not imports", () => {
  const source = [
    "/**",
    ' * import { a } from "a";',
    " */",
    '// import { b } from "b";',
    'import { c } from "c";',
  ].join("\n");
  expect(readImports(source)).toEqual([{ specifier: "c", isType: false, line: 5 }]);
});
