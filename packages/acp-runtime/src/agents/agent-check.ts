/** A trial start of an agent: what works, how long it takes, and what the operator can do. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  type AgentReport,
  AppError,
  type CheckStepName,
  isJsonObject,
  type JsonObject,
} from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import { launchAdapter } from "../adapter/adapter-launch.ts";
import { newAgentSession } from "../adapter/adapter-session.ts";
import { authMethodsOf } from "../adapter/adapter-start.ts";
import { StartClaim } from "../adapter/live-adapters.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import type { LaunchAgent } from "../wire/agent-transport.ts";
import { transientPlan } from "./transient-adapter.ts";

/**
 * Starts the agent in a folder of its own, initialises it, tries a session and ends it. What fails
 * stands in the report.
 *
 * @throws AppError `unknown_agent`; `limit_exceeded` when every adapter is in use
 */
export async function checkAgent(
  deps: RuntimeDeps,
  agentId: string,
  signal: AbortSignal,
): Promise<AgentReport> {
  deps.catalogue.get(agentId);
  const claim = new StartClaim();
  await deps.adapters.claim(claim);
  const scratch = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "signalbox-check-")));
  try {
    return await new AgentCheck(deps, agentId).run(scratch, signal);
  } finally {
    deps.adapters.release(claim);
    await fs.rm(scratch, { recursive: true, force: true });
  }
}

class AgentCheck {
  readonly #deps: RuntimeDeps;
  readonly #agentId: string;
  readonly #steps: AgentReport["steps"] = [];
  readonly #deviations: string[] = [];
  #authMethods: JsonObject[] = [];

  constructor(deps: RuntimeDeps, agentId: string) {
    this.#deps = deps;
    this.#agentId = agentId;
  }

  async run(scratch: string, signal: AbortSignal): Promise<AgentReport> {
    const plan = transientPlan(this.#deps, this.#agentId, scratch);
    const adapter = await this.#start(plan, signal);
    if (adapter) {
      this.#authMethods = authMethodsOf(adapter.adapter);
      const { setup, agent, instructions } = plan;
      const onAnswer = () => this.#noteEarlyOutput(adapter.adapter);
      const { limits } = this.#deps;
      const context = { ...adapter, setup, signal, limits, agent, instructions, onAnswer };
      await this.#step("session/new", async () => {
        await newAgentSession(context);
      });
      await this.#stop(adapter.adapter);
    }
    plan.stderr.flush();
    const initialized = adapter?.adapter.initialized ?? {};
    const { agentInfo, agentCapabilities, protocolVersion = null } = initialized;
    return {
      agent: this.#agentId,
      ok: this.#steps.every(({ ok }) => ok),
      steps: this.#steps,
      protocolVersion,
      capabilities: isJsonObject(agentCapabilities) ? agentCapabilities : null,
      authMethods: this.#authMethods,
      agentInfo: isJsonObject(agentInfo) ? agentInfo : null,
      deviations: this.#deviations,
      advice: this.#advice(),
      stderrTail: plan.stderr.read().text,
    };
  }

  /** Two steps in one call: the process, and what it answers first. */
  async #start(plan: ReturnType<typeof transientPlan>, signal: AbortSignal) {
    const startedAtMs = performance.now();
    let spawnedAtMs: number | null = null;
    const launch: LaunchAgent = async (spec, ends) => {
      const transport = await this.#deps.launch(spec, ends);
      spawnedAtMs = performance.now();
      this.#steps.push({ name: "spawn", ok: true, durationMs: since(startedAtMs) });
      return transport;
    };
    try {
      const launched = await launchAdapter({ ...this.#deps, launch }, plan, signal);
      this.#steps.push({ name: "initialize", ok: true, durationMs: since(spawnedAtMs) });
      return launched;
    } catch (error) {
      const name = spawnedAtMs === null ? "spawn" : "initialize";
      this.#failed(name, since(spawnedAtMs ?? startedAtMs), error);
      return null;
    }
  }

  #noteEarlyOutput(adapter: Adapter): void {
    if (!adapter.hasEarlyOutput) return;
    this.#deviations.push("it sent updates or requests before session/new was answered");
  }

  async #stop(adapter: Adapter): Promise<void> {
    const noise = adapter.wire.noiseCount;
    if (noise > 0) {
      this.#deviations.push(`${noise} line(s) on its standard output were no JSON-RPC message`);
    }
    const patienceMs = this.#deps.limits.stopGraceMs / 2;
    const startedAtMs = performance.now();
    await this.#step("stop", async () => {
      await adapter.stop();
    });
    if (since(startedAtMs) >= patienceMs) {
      this.#deviations.push("it did not leave at the end of its input and was stopped by a signal");
    }
  }

  async #step(name: CheckStepName, run: () => Promise<void>): Promise<void> {
    const startedAtMs = performance.now();
    try {
      await run();
      this.#steps.push({ name, ok: true, durationMs: since(startedAtMs) });
    } catch (error) {
      this.#failed(name, since(startedAtMs), error);
    }
  }

  #failed(name: CheckStepName, durationMs: number, error: unknown): void {
    if (!(error instanceof AppError)) throw error;
    this.#steps.push({ name, ok: false, durationMs, error: error.toData() });
  }

  #advice(): string[] {
    const advice: string[] = [];
    const entry = this.#deps.catalogue.list().find(({ id }) => id === this.#agentId);
    if (entry?.installHint) advice.push(entry.installHint);
    const failed = this.#steps.find(({ ok }) => !ok);
    if (failed?.error?.appCode === "auth_required") {
      for (const { id, name, type } of this.#authMethods) {
        advice.push(
          type === "terminal"
            ? `log in to the agent in a terminal on the server (${String(name ?? id)})`
            : `authenticate with agents.authenticate and methodId ${String(id)} (${String(name ?? id)})`,
        );
      }
    }
    if (failed?.error?.appCode === "adapter_timeout") {
      advice.push("see whether the command needs an argument that has it speak ACP");
    }
    if (this.#deps.catalogue.get(this.#agentId).isPackageRun) {
      advice.push("install the agent: a package runner may have to download it at each start");
    }
    return advice;
  }
}

function since(startMs: number | null): number {
  return startMs === null ? 0 : Math.round(performance.now() - startMs);
}
