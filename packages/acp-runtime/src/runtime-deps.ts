import type { Database, Owner, Sealer } from "@signalbox/db";
import type { AcpLimits } from "@signalbox/protocol";
import type { Launches } from "./adapter/launches.ts";
import type { LiveAdapters } from "./adapter/live-adapters.ts";
import type { Catalogue } from "./agents/catalogue.ts";
import type { FleetFeed } from "./reads/fleet-feed.ts";
import type { TurnEnds } from "./turns/turn-ends.ts";
import type { LaunchAgent } from "./wire/agent-transport.ts";

/** What the server hands over once and every part of the runtime shares. */
export interface RuntimeDeps {
  readonly db: Database;
  readonly owner: Owner;
  readonly limits: AcpLimits;
  readonly catalogue: Catalogue;
  readonly launch: LaunchAgent;
  readonly sealer: Sealer;
  readonly version: string;
  /** Begins the mark of every adapter of this data folder. */
  readonly markPrefix: string;
  /** The operator's base instructions; null for none. */
  readonly instructions: string | null;
  /** What every adapter may have of the server's own environment. */
  readonly baseEnv: Readonly<Record<string, string>>;
  /** Folders that sessions may work in, absolute and normalised. */
  readonly workspaceRoots: readonly string[];
  readonly defaultWorkspace: string;
  /** The data folder: no agent works in it, in a part of it or around it. */
  readonly closedFolder: string;
  /** Commands of stdio MCP servers that callers without scope X may name. */
  readonly mcpAllow: readonly string[];
  readonly adapters: LiveAdapters;
  readonly launches: Launches;
  readonly fleet: FleetFeed;
  /** Woken at every end of a turn and every deletion. */
  readonly turnEnds: TurnEnds;
  /** Something broke that no caller will hear of. */
  readonly onBug: (error: unknown, where: string) => void;
}
