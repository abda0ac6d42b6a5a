/** Whatever is sent to a procedure, its answer is a result or a failure that has a code. */
import { appRouter } from "@signalbox/api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

const RUNS = 25;

/** Names of fields that some procedure knows, so that what is sent is nearly right. */
const FIELDS = [
  "sessionId",
  "agent",
  "cwd",
  "content",
  "cursor",
  "limit",
  "before",
  "after",
  "types",
  "query",
  "format",
  "requestId",
  "optionId",
  "action",
  "promptId",
  "waitMs",
  "configId",
  "value",
  "env",
  "name",
  "scopes",
  "expiresAt",
  "id",
  "from",
  "to",
  "by",
  "methodId",
  "idempotencyKey",
  "whenBusy",
  "adopt",
  "mcpServers",
  "permissionPolicy",
  "__proto__",
  "constructor",
];

const text = fc.oneof(
  fc.constantFrom("main", "demo", "", "..", "/etc", "\u0000", "\u202e", "' OR 1=1 --", "__proto__"),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const leaf = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false, -1, 0, 2 ** 53, 1e308),
);
const value = fc.oneof(
  leaf,
  fc.array(fc.oneof(leaf, fc.dictionary(text, leaf)), { maxLength: 4 }),
  fc.dictionary(text, leaf, { maxKeys: 4 }),
);
const nearlyRight = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS), value), { maxLength: 6 })
  .map(
    (entries) =>
      `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)}}`,
  );
const anything = fc.oneof(nearlyRight, fc.json(), fc.string({ maxLength: 60 }));

const calls = Object.entries<unknown>(Object(appRouter._def.procedures)).flatMap(
  ([path, procedure]) => {
    const type = String(Reflect.get(Object(Reflect.get(Object(procedure), "_def")), "type"));
    return type === "subscription" ? [] : [{ path, type }];
  },
);

let server: ServerProcess;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await ServerProcess.start();
  headers = { authorization: `Bearer ${await server.adminToken()}` };
});
afterAll(async () => {
  const { status } = await rawHttp(`${server.url}/healthz`);
  expect(status).toBe(200);
  expect(server.stderr).not.toMatch(/a procedure failed|something broke/);
  await server[Symbol.asyncDispose]();
});

describe.each(calls)("$path", ({ path, type }) => {
  test("answers anything with a result or a code", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (input) => {
        const url = `${server.url}/trpc/${path}`;
        const answer =
          type === "mutation"
            ? await rawHttp(url, { headers, body: input })
            : await rawHttp(`${url}?input=${encodeURIComponent(input)}`, { headers });
        if (answer.status === 200) return;
        expect(answer.json).toEqual({
          error: {
            message: expect.any(String),
            code: expect.any(Number),
            data: {
              appCode: expect.any(String),
              details: expect.toSatisfy(
                (details: unknown) => details === null || typeof details === "object",
              ),
              retryable: expect.any(Boolean),
              httpStatus: answer.status,
            },
          },
        });
        expect(answer.status).toBeLessThan(500);
        expect(answer.body).not.toMatch(/node_modules|\.ts:\d|SQLITE_|SELECT /);
      }),
      { numRuns: RUNS },
    );
  });
});
