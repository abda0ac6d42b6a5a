import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findServer } from "./server-address.ts";

const FILE_TOKEN = "sb_token_of_the_folder";

function dataFolder(url: string | null): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-command-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.writeFileSync(path.join(folder, "admin-token"), `${FILE_TOKEN}\n`);
  if (url !== null) fs.writeFileSync(path.join(folder, "url"), `${url}\n`);
  return folder;
}

test("on the server's machine the data folder tells where it is and lends its token", () => {
  const dataDir = dataFolder("http://127.0.0.1:39999");
  expect(findServer({ dataDir }, {})).toEqual({ url: "http://127.0.0.1:39999", token: FILE_TOKEN });
  const env = { SIGNALBOX_DATA_DIR: dataDir };
  expect(findServer({}, env)).toEqual({ url: "http://127.0.0.1:39999", token: FILE_TOKEN });
});

test("a server that listens on every address is called on the loopback one", () => {
  const dataDir = dataFolder("http://0.0.0.0:39999");
  expect(findServer({ dataDir }, {}).url).toBe("http://127.0.0.1:39999");
});

test("the folder's token does not leave the machine for an address that was named", () => {
  const dataDir = dataFolder(null);
  expect(() => findServer({ dataDir, url: "https://evil.example" }, {})).toThrow(/is not sent to/);
  const env = { SIGNALBOX_URL: "http://127.0.0.1.evil.example" };
  expect(() => findServer({ dataDir }, env)).toThrow(/is not sent to/);
  expect(findServer({ dataDir, url: "http://localhost:4170" }, {}).token).toBe(FILE_TOKEN);
});

test("a token that is given beats the folder's, an option the environment", () => {
  const dataDir = dataFolder(null);
  const env = { SIGNALBOX_TOKEN: "of the environment", SIGNALBOX_URL: "https://there.example" };
  expect(findServer({ dataDir }, env)).toEqual({
    url: "https://there.example",
    token: "of the environment",
  });
  const options = { dataDir, token: "of the option", url: "https://here.example/path" };
  expect(findServer(options, env)).toEqual({
    url: "https://here.example",
    token: "of the option",
  });
});

test("without a token it says where one is to be found", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-command-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  expect(() => findServer({ dataDir: folder }, {})).toThrow(/holds no admin-token/);
  expect(() => findServer({ url: "ftp://x" }, {})).toThrow(/not an http or https URL/);
});
