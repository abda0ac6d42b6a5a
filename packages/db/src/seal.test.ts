import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { AppError } from "@signalbox/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSealer } from "./seal.ts";

let dir: string;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-seal-"));
});

afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const keyFile = () => path.join(dir, "secret.key");

test.each(["", "TOKEN=abc", "snow ☃, 😀 and \u0000", "x".repeat(100_000)])(
  "what was sealed opens again, also after a restart",
  (text) => {
    const sealed = openSealer(dir).seal(text, "session-1");
    expect(openSealer(dir).open(sealed, "session-1")).toBe(text);
  },
);

test("a sealed text shows nothing of itself and never looks the same twice", () => {
  const sealer = openSealer(dir);
  const [first, second] = [sealer.seal("canary-value"), sealer.seal("canary-value")];
  expect(first).not.toBe(second);
  expect(Buffer.from(first.slice(3), "base64url").toString("latin1")).not.toContain("canary");
});

test("a changed, cut or foreign value is refused with a code", () => {
  const sealer = openSealer(dir);
  const sealed = sealer.seal("secret", "session-1");
  const flipped = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA");
  for (const bad of [flipped, sealed.slice(0, 20), "", "v9.AAAA", "secret"]) {
    expect(() => sealer.open(bad, "session-1")).toThrow(
      expect.objectContaining({ code: "storage_corrupt" }),
    );
  }
});

test("a value moved to another session does not open there", () => {
  const sealer = openSealer(dir);
  expect(() => sealer.open(sealer.seal("secret", "session-1"), "session-2")).toThrow(AppError);
});

test("the key is for this account alone, and a start with a key keeps it", () => {
  openSealer(dir);
  const key = fs.readFileSync(keyFile());
  expect(key).toHaveLength(32);
  expect(fs.statSync(keyFile()).mode & 0o777).toBe(0o600);
  openSealer(dir);
  expect(fs.readFileSync(keyFile())).toEqual(key);
  expect(fs.readdirSync(dir)).toEqual(["secret.key"]);
});

test("a key that other accounts may read is refused", () => {
  openSealer(dir);
  fs.chmodSync(keyFile(), 0o644);
  expect(() => openSealer(dir)).toThrow(/other accounts/);
});

test("a damaged key file is refused, not replaced", () => {
  fs.writeFileSync(keyFile(), "short", { mode: 0o600 });
  expect(() => openSealer(dir)).toThrow(expect.objectContaining({ code: "storage_corrupt" }));
  expect(fs.readFileSync(keyFile(), "utf8")).toBe("short");
});

test("a printed sealer and its errors do not show the key", () => {
  const sealer = openSealer(dir);
  const key = fs.readFileSync(keyFile());
  let shown = inspect(sealer, { depth: 9, showHidden: true });
  try {
    sealer.open("v1.AAAA");
  } catch (error) {
    shown += inspect(error, { depth: 9, showHidden: true });
  }
  expect(shown).toContain("storage_corrupt");
  expect(shown).not.toContain(key.toString("hex"));
  expect(shown).not.toContain(key.toString("base64url"));
});
