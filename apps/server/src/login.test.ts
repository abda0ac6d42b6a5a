import { once } from "node:events";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import { type Database, openDatabase } from "@signalbox/db";
import { MIGRATIONS_DIR, templateDatabase } from "@signalbox/db/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Callers, ensureAdminToken } from "./access.ts";
import { ConsoleLogin } from "./login.ts";

const MINUTE_MS = 60_000;
const PAGE_BYTES = 4_096;
const NOWHERE = () => null;

function identify(db: Database, secret: string | null) {
  const onNoteFailed = (error: unknown) => {
    throw error;
  };
  return new Callers(db, onNoteFailed).identify(secret, undefined);
}

const answer = z.object({
  error: z.object({ data: z.object({ appCode: z.string() }) }).optional(),
  secret: z.string().optional(),
});

interface LoginServer extends AsyncDisposable {
  readonly code: string;
  send(
    code: string,
  ): Promise<{ status: number; appCode: string | undefined; secret: string | undefined }>;
}

async function loginServer(db: Database, now: () => number = Date.now): Promise<LoginServer> {
  const login = new ConsoleLogin(db, NOWHERE, now);
  const code = (await login.issueCode()) ?? "";
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    login.handle(request, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    code,
    send: async (sent) => {
      const response = await fetch(`http://127.0.0.1:${port}/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code: sent }),
      });
      const { error, secret } = answer.parse(await response.json());
      return { status: response.status, appCode: error?.data.appCode, secret };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(failures).toEqual([]);
    },
  };
}

function latch(): [opened: Promise<void>, open: () => void] {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

test("the code of the link is good for one login", async () => {
  await using database = await templateDatabase();
  await using server = await loginServer(database.db);
  const { status, secret } = await server.send(server.code);
  expect(status).toBe(200);
  const caller = await identify(database.db, secret ?? null);
  expect(caller).toMatchObject({ actor: { kind: "login" } });
  expect(await server.send(server.code)).toMatchObject({ status: 401, appCode: "unauthorized" });
  expect(await new ConsoleLogin(database.db, NOWHERE).issueCode()).toBeNull();
});

test("wrong codes are told to slow down, and do not lock the right one out", async () => {
  let nowMs = 1_800_000_000_000;
  await using database = await templateDatabase();
  await using server = await loginServer(database.db, () => nowMs);
  const answers = async (count: number) => {
    const codes = new Set<string | undefined>();
    for (let sent = 0; sent < count; sent += 1) codes.add((await server.send("wrong")).appCode);
    return [...codes];
  };
  expect(await answers(20)).toEqual(["unauthorized"]);
  expect(await server.send("wrong")).toMatchObject({ status: 429, appCode: "rate_limited" });
  nowMs += MINUTE_MS - 1;
  expect(await answers(2)).toEqual(["rate_limited"]);
  nowMs += 1;
  expect(await answers(21)).toEqual(["unauthorized", "rate_limited"]);
  expect(await server.send(server.code)).toMatchObject({ status: 200 });
});

test("a code is good for ten minutes", async () => {
  let nowMs = 1_800_000_000_000;
  await using database = await templateDatabase();
  await using server = await loginServer(database.db, () => nowMs);
  nowMs += 10 * MINUTE_MS;
  expect(await server.send(server.code)).toMatchObject({ appCode: "unauthorized" });
});

test("a database that another process holds is a busy storage, and costs no code", async () => {
  await using database = await templateDatabase();
  await using server = await loginServer(database.db);
  const { file } = database;
  const other = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
  const [held, hold] = latch();
  const [released, release] = latch();
  const holding = other.prisma.$transaction(
    () => {
      hold();
      return released;
    },
    { timeout: 20_000 },
  );
  try {
    await held;
    expect(await server.send(server.code)).toMatchObject({ status: 503, appCode: "storage_busy" });
    await expect(ensureAdminToken(database.db, database.dir)).rejects.toMatchObject({
      code: "storage_busy",
    });
  } finally {
    release();
    await holding;
    await other.close();
  }
  expect(await server.send(server.code)).toMatchObject({ status: 200 });
});

test("a damaged file is a damaged storage for whoever shows a token", async () => {
  await using database = await templateDatabase();
  // The schema is on the first page, which stays; the tables are behind it.
  await using file = await open(database.file, "r+");
  const { size } = await file.stat();
  await file.write(Buffer.alloc(size - PAGE_BYTES, 0xff), 0, size - PAGE_BYTES, PAGE_BYTES);
  // Has the connection read again what it had kept.
  await database.db.write((sqlite) => sqlite.pragma("shrink_memory"));
  const failure = { code: "storage_corrupt", retryable: false };
  await expect(identify(database.db, "sb_token_x")).rejects.toMatchObject(failure);
  await expect(new ConsoleLogin(database.db, NOWHERE).issueCode()).rejects.toMatchObject(failure);
});
