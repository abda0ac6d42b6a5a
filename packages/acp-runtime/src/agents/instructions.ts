/** The operator's and the session's instructions, and how they reach the agent. */
import type { JsonObject } from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import type { CatalogueAgent } from "./catalogue.ts";

/** The base instructions, unless left out, and the session's own; null for none. */
export function instructionsOf(
  deps: Pick<RuntimeDeps, "instructions">,
  session: { skipOsInstructions: boolean; additionalInstructions: string },
): string | null {
  const parts = [
    session.skipOsInstructions ? null : deps.instructions,
    session.additionalInstructions || null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join("\n\n") : null;
}

/** What a start itself carries of them. */
export function launchedWith(
  { profile }: CatalogueAgent,
  instructions: string | null,
): { args: readonly string[]; env: Readonly<Record<string, string>> } {
  const channel = profile.instructions;
  if (instructions === null || channel === null) return { args: [], env: {} };
  if (channel.kind === "argument") return { args: [channel.flag, instructions], env: {} };
  return { args: [], env: channel.kind === "environment" ? { [channel.name]: instructions } : {} };
}

/**
 * The fields of `session/new`, `session/load` and `session/resume` that carry them. ACP's own
 * field goes before a profile's channel, since an agent that offers it says how it wants them.
 */
export function setupFields(
  adapter: Adapter,
  { profile }: CatalogueAgent,
  instructions: string | null,
): JsonObject {
  if (instructions === null) return {};
  if (adapter.offersSession("systemPrompt")) {
    return { systemPrompt: { mode: "append", content: [{ type: "text", text: instructions }] } };
  }
  return profile.instructions?.kind === "meta"
    ? { _meta: { systemPrompt: { append: instructions } } }
    : {};
}

/** Whether they reach this adapter without a leading block of its first prompt. */
export function hasChannel(adapter: Adapter, { profile }: CatalogueAgent): boolean {
  return profile.instructions !== null || adapter.offersSession("systemPrompt");
}
