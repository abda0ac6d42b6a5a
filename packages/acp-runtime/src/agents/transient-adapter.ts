import type { Adapter } from "../adapter/adapter.ts";
import { type LaunchPlan, launchAdapter } from "../adapter/adapter-launch.ts";
import type { StartBudget } from "../adapter/adapter-start.ts";
import { StartClaim } from "../adapter/live-adapters.ts";
import { StderrFeed } from "../adapter/stderr-feed.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";

export interface TransientAdapter {
  readonly adapter: Adapter;
  readonly budget: StartBudget;
}

export function transientPlan(deps: RuntimeDeps, agentId: string, cwd: string): LaunchPlan {
  return {
    sessionId: null,
    agent: deps.catalogue.get(agentId),
    setup: { cwd, additionalDirectories: [], mcpServers: [] },
    env: {},
    instructions: null,
    stderr: new StderrFeed(deps.limits.stderrTailBytes),
  };
}

/**
 * Starts an adapter for one question and ends it. It takes a place among the live adapters.
 *
 * @throws AppError as a start does, or whatever `ask` throws
 */
export async function withTransientAdapter<T>(
  deps: RuntimeDeps,
  plan: LaunchPlan,
  signal: AbortSignal,
  ask: (transient: TransientAdapter) => Promise<T>,
): Promise<T> {
  const claim = new StartClaim();
  await deps.adapters.claim(claim);
  try {
    const transient = await launchAdapter(deps, plan, signal);
    try {
      return await ask(transient);
    } finally {
      await transient.adapter.stop();
    }
  } finally {
    deps.adapters.release(claim);
  }
}
