/** What stands before the user's own blocks of a prompt, and is no part of the stored message. */
import { hasDispatchedPrompt, readOpenPrompts } from "@signalbox/db";
import type { ContentBlock } from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import type { CatalogueAgent } from "../agents/catalogue.ts";
import { hasChannel } from "../agents/instructions.ts";
import type { SessionLog } from "../output/session-log.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { continuationPreamble } from "./preamble.ts";
import type { Turn } from "./turn.ts";

interface LeadingContext {
  readonly deps: RuntimeDeps;
  readonly log: SessionLog;
  readonly agent: CatalogueAgent | undefined;
  readonly instructions: string | null;
  /** The agent has forgotten the session. */
  readonly isContinued: boolean;
}

/** Instructions that have no other way to the agent, and what was said to one that forgot it. */
export async function leadingBlocks(
  context: LeadingContext,
  live: Adapter,
  turn: Turn,
): Promise<ContentBlock[]> {
  const { deps, log, isContinued } = context;
  const texts: string[] = [];
  const instructions = await untoldInstructions(context, live);
  if (instructions !== null) {
    texts.push(`[Instructions from the operator of this session]\n${instructions}`);
  }
  if (isContinued) {
    const session = {
      sessionId: log.sessionId,
      beforeSequence: await startSequenceOf(context, turn),
    };
    const maxBytes = deps.limits.maxFallbackContinuationBytes;
    const preamble = await continuationPreamble(deps.db, session, maxBytes);
    if (preamble !== null) texts.push(preamble);
  }
  return texts.map((text) => ({ type: "text", text }));
}

async function untoldInstructions(
  { agent, deps, log, instructions, isContinued }: LeadingContext,
  live: Adapter,
): Promise<string | null> {
  if (instructions === null || (agent && hasChannel(live, agent))) return null;
  const isFirst = isContinued || !(await hasDispatchedPrompt(deps.db, log.sessionId));
  return isFirst ? instructions : null;
}

async function startSequenceOf({ deps, log }: LeadingContext, turn: Turn): Promise<number> {
  const open = await readOpenPrompts(deps.db, [log.sessionId]);
  const row = open.find((prompt) => prompt.promptId === turn.promptId);
  return row?.startSequence ?? log.sequence + 1;
}
