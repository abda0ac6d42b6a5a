/** The protocol's own schema, for tests of what we send, take and answer. */
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";

const sdk = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk");
const root = sdk.slice(0, sdk.lastIndexOf(`${path.sep}dist${path.sep}`));
const schema: { $defs: object } = JSON.parse(
  fs.readFileSync(path.join(root, "schema", "v1", "schema.json"), "utf8"),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "acp", $defs: schema.$defs });

/** @returns the protocol's complaints; empty for what it allows */
export function complaints(definition: string, value: unknown): string[] {
  const validate = ajv.getSchema(`acp#/$defs/${definition}`);
  if (!validate) throw new Error(`the protocol has no ${definition}`);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        (error) => `${error.instancePath} ${error.message ?? "is invalid"}`,
      );
}
