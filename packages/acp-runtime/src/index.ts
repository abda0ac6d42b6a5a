export type { LaunchAgent, LaunchSpec } from "./adapter/agent-transport.ts";
export { Launches } from "./adapter/launches.ts";
export { LiveAdapters } from "./adapter/live-adapters.ts";
export { sweepMarked } from "./adapter/mark-sweep.ts";
export { spawnAgent } from "./adapter/spawn-agent.ts";
export { Catalogue, type CatalogueAgent } from "./agents/catalogue.ts";
export { type AgentProfile, GENERIC_PROFILE, PROFILE_NAMES, profileOf } from "./agents/profiles.ts";
export { createRuntime, type StartableRuntime } from "./create-runtime.ts";
export { decodeListCursor, encodeListCursor } from "./reads/cursor.ts";
export { exactTextOf, exactTextsMade } from "./reads/event-text.ts";
export { FleetFeed } from "./reads/fleet-feed.ts";
export { listLimit } from "./reads/stored-reads.ts";
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
export { TurnEnds } from "./turns/turn-ends.ts";
