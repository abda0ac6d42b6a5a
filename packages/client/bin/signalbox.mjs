#!/usr/bin/env node
import { existsSync } from "node:fs";

const program = new URL("../dist/cli.js", import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write("signalbox: not built yet; run npm start or npm run build once.\n");
  process.exitCode = 1;
}
