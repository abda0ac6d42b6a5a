import fs from "node:fs";
import path from "node:path";
import { type AgentEntry, AppError } from "@signalbox/protocol";
import type { Confinement } from "../adapter/bubblewrap.ts";
import type { AgentProfile } from "./profiles.ts";

/** One agent of the operator's configuration, resolved: what is started for a session. */
export interface CatalogueAgent {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Fixed values and those passed on from the server's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Those of `env` that must never be shown. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly source: AgentEntry["source"];
  /** Started through a package runner, which may have to download first. */
  readonly isPackageRun: boolean;
  readonly profile: AgentProfile;
  /** The model that a new session is set to; null leaves it to the agent. */
  readonly model: string | null;
  /** How it is kept from the rest of the machine; left out for an agent that is not. */
  readonly confinement?: Confinement;
}

/** The agents that clients may name. */
export class Catalogue {
  readonly #agents: ReadonlyMap<string, CatalogueAgent>;
  readonly #searchPath: string;

  /** @param searchPath a `PATH` value; commands are looked up there, never in a shell */
  constructor(agents: readonly CatalogueAgent[], searchPath: string) {
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#searchPath = searchPath;
  }

  find(id: string): CatalogueAgent | undefined {
    return this.#agents.get(id);
  }

  /** @throws AppError `unknown_agent` */
  get(id: string): CatalogueAgent {
    const agent = this.#agents.get(id);
    if (agent) return agent;
    throw new AppError("unknown_agent", `no agent ${id} is configured`, {
      details: { field: "agent", agent: id, known: [...this.#agents.keys()] },
    });
  }

  list(): AgentEntry[] {
    return [...this.#agents.values()].map((agent) => {
      const entrypoint = this.#find(agent.command);
      const hint = `install ${agent.command} or set agents.${agent.id}.command to its path`;
      return {
        id: agent.id,
        title: agent.title,
        installed: entrypoint !== null,
        entrypoint,
        version: null,
        installHint: entrypoint === null ? hint : null,
        source: agent.source,
      };
    });
  }

  #find(command: string): string | null {
    if (path.isAbsolute(command)) return isExecutable(command) ? command : null;
    for (const folder of this.#searchPath.split(path.delimiter)) {
      const candidate = path.join(folder, command);
      if (folder !== "" && isExecutable(candidate)) return candidate;
    }
    return null;
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
