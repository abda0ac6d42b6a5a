/** `npm run build`: everything `npm start` needs, without starting it. */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { main } = await import("./lib/setup-error.mjs");
const { prepare } = await import("./lib/prepare.mjs");

await main(() => prepare());
