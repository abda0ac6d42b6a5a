/** MCP servers carry secrets in their variables and headers: how they are stored and masked. */
import type { SessionRow } from "@signalbox/db";
import { isJsonObject, type JsonObject, type JsonValue } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";

/** What sealed text of a session's servers belongs to; its `env` has the id alone. */
const contextOf = (sessionId: string): string => `${sessionId}\nmcpServers`;

/** The column's text: sealed as soon as there is a value that may be secret. */
export function storedMcpServers(
  { sealer }: Pick<RuntimeDeps, "sealer">,
  sessionId: string,
  mcpServers: readonly JsonObject[],
): string {
  const text = JSON.stringify(mcpServers);
  const hasValues = Object.keys(mcpSecrets(mcpServers)).length > 0;
  return hasValues ? sealer.seal(text, contextOf(sessionId)) : text;
}

/** @throws AppError `storage_corrupt` when sealed text does not open */
export function readMcpServers(
  { sealer }: Pick<RuntimeDeps, "sealer">,
  row: Pick<SessionRow, "sessionId" | "mcpServers">,
): JsonObject[] {
  const { mcpServers } = row;
  const isPlain = mcpServers.startsWith("[");
  return JSON.parse(isPlain ? mcpServers : sealer.open(mcpServers, contextOf(row.sessionId)));
}

/** Values of variables and headers, each by a name that no other secret of the session has. */
export function mcpSecrets(mcpServers: readonly JsonValue[]): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const [index, server] of mcpServers.entries()) {
    if (!isJsonObject(server)) continue;
    for (const { name, value } of [...pairsOf(server.env), ...pairsOf(server.headers)]) {
      secrets[`mcpServers.${index}.${name.replace(/[^\w-]/g, "_")}`] = value;
    }
  }
  return secrets;
}

function pairsOf(pairs: JsonValue | undefined): { name: string; value: string }[] {
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair) =>
    isJsonObject(pair) && typeof pair.name === "string" && typeof pair.value === "string"
      ? [{ name: pair.name, value: pair.value }]
      : [],
  );
}
