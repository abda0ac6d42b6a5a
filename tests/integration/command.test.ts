/** `signalbox`, the operator's command, against a real server. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { connect } from "@signalbox/client";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { z } from "zod";
import { signalbox } from "../support/command.ts";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

const linkAnswer = z.object({ url: z.string(), expiresAt: z.string() });

function redeem(server: ServerProcess, code: string) {
  return rawHttp(`${server.url}/login`, { body: JSON.stringify({ code }) });
}

function codeIn(text: string): string {
  return /#code=([\w-]+)/.exec(text)?.[1] ?? "";
}

test("login-link prints a link that logs in once, also after someone has logged in", async () => {
  await using server = await ServerProcess.start();
  const here = ["--data-dir", server.dataDir];
  const first = await signalbox(["login-link", ...here]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain(`Log in at ${server.url}/login#code=`);
  const answer = await redeem(server, codeIn(first.stdout));
  expect(answer.status).toBe(200);
  const { secret } = z.object({ secret: z.string() }).parse(answer.json);
  await using login = connect({ url: server.url, token: secret });
  expect((await login.api.logins.list.query({})).logins).toHaveLength(1);
  expect((await redeem(server, codeIn(first.stdout))).status).toBe(401);

  const older = await signalbox(["login-link", "--json", ...here]);
  const newer = await signalbox(["login-link", "--json", ...here]);
  const [olderLink, newerLink] = [older, newer].map((run) =>
    linkAnswer.parse(JSON.parse(run.stdout)),
  );
  expect((await redeem(server, codeIn(olderLink?.url ?? ""))).status).toBe(401);
  expect((await redeem(server, codeIn(newerLink?.url ?? ""))).status).toBe(200);

  const client = await server.connect();
  const { rows } = await client.api.audit.list.query({});
  const made = rows.filter(({ action }) => action === "logins.createLink");
  expect(made).toHaveLength(3);
  expect(made[0]).toMatchObject({ actor: { kind: "token", name: "admin" }, address: "127.0.0.1" });
});

test("the data folder says where the server is only while it runs", async () => {
  await using server = await ServerProcess.start();
  const file = path.join(server.dataDir, "url");
  expect(await readFile(file, "utf8")).toBe(`${server.url}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await server.term();
  await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
});

test("audit verify finds a row that was changed behind the server's back", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  for (const name of ["one", "two", "three"]) {
    await client.api.tokens.create.mutate({ name, scopes: ["R"] });
  }
  const here = ["--data-dir", server.dataDir];
  // The start of the server is the first.
  const whole = await signalbox(["audit", "verify", ...here]);
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole.stdout).toMatch(/^4 rows hold\. The last is 4:[0-9a-f]{64}\n$/);
  const last = /\d+:[0-9a-f]{64}/.exec(whole.stdout)?.[0] ?? "";

  await server.term();
  const raw = new SqliteDatabase(path.join(server.dataDir, "signalbox.db"));
  raw.exec("DROP TRIGGER Audit_no_update; UPDATE Audit SET actorName = 'nobody' WHERE id = 2");
  raw.close();
  await server.start();
  const broken = await signalbox(["audit", "verify", "--json", ...here]);
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({ ok: false, brokenId: 2 });
  const expected = await signalbox([
    "audit",
    "verify",
    "--expect",
    last.replace("4:", "5:"),
    ...here,
  ]);
  expect(expected.code).toBe(1);
});

test("a wrong command, no server and a refusal end with 1 and one sentence", async () => {
  await using server = await ServerProcess.start();
  const wrong = await signalbox(["no-such-command"]);
  expect(wrong).toMatchObject({ code: 1, stdout: "" });
  expect(wrong.stderr).toMatch(/unknown command 'no-such-command'/);
  const nobody = await signalbox(["login-link"], {
    SIGNALBOX_URL: "http://127.0.0.1:1",
    SIGNALBOX_TOKEN: "x",
  });
  expect(nobody).toMatchObject({ code: 1, stdout: "" });
  expect(nobody.stderr).toMatch(/^Signalbox does not answer: .*\n$/);
  const refused = await signalbox(["login-link", "--json"], {
    SIGNALBOX_URL: server.url,
    SIGNALBOX_TOKEN: "sb_token_wrong",
  });
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ code: "unauthorized" });
  const help = await signalbox(["--help"]);
  expect(help.code).toBe(0);
  expect(help.stdout).toContain("login-link");
}, 60_000);
