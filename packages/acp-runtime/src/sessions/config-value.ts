import { type Database, readSession } from "@signalbox/db";
import { AppError } from "@signalbox/protocol";
import { configOf } from "../reads/stored-reads.ts";

/**
 * What no agent could take: neither text nor truth value, or one for an option of the other kind.
 * Everything else the agent judges.
 *
 * @throws AppError `invalid_config_value`
 */
export async function assertConfigValue(
  db: Database,
  { sessionId, configId, value }: { sessionId: string; configId: string; value: unknown },
): Promise<void> {
  const refuse = (expected: string) =>
    new AppError("invalid_config_value", `${configId} takes ${expected}`, {
      details: { configId, expected, actual: value === null ? "null" : typeof value },
    });
  if (typeof value !== "string" && typeof value !== "boolean") throw refuse("a string or boolean");
  const { options } = configOf(await readSession(db, sessionId));
  const type = options.find(({ id }) => id === configId)?.type;
  if (type === "boolean" && typeof value !== "boolean") throw refuse("a boolean");
  if (type === "select" && typeof value !== "string") throw refuse("a string");
}
