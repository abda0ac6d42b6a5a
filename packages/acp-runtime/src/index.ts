export type { LaunchAgent, LaunchSpec } from "./agent-transport.ts";
export { Catalogue, type CatalogueAgent } from "./catalogue.ts";
export { createRuntime, type StartableRuntime } from "./create-runtime.ts";
export { decodeListCursor, encodeListCursor } from "./cursor.ts";
export { exactTextOf, exactTextsMade } from "./event-text.ts";
export { FleetFeed } from "./fleet-feed.ts";
export { Launches } from "./launches.ts";
export { LiveAdapters } from "./live-adapters.ts";
export { sweepMarked } from "./mark-sweep.ts";
export { type AgentProfile, GENERIC_PROFILE, PROFILE_NAMES, profileOf } from "./profiles.ts";
export type {
  Caller,
  ExportFormat,
  HistoryPage,
  HistoryQuery,
  ListQuery,
  Runtime,
  RuntimeInfo,
  SessionExport,
  WithSession,
} from "./runtime.ts";
export type { RuntimeDeps } from "./runtime-deps.ts";
export { spawnAgent } from "./spawn-agent.ts";
export { listLimit } from "./stored-reads.ts";
export { TurnEnds } from "./turn-ends.ts";
