export type {
  ContentBlock,
  DurableEvent,
  EphemeralEvent,
  ErrorCode,
  FleetEvent,
  PendingPermission,
  PendingQuestion,
  PermissionOption,
  PromptResult,
  SessionEvent,
  SessionInfo,
} from "@signalbox/protocol";
export { type ConnectOptions, connect, SignalboxClient } from "./client.ts";
export { SignalboxConnectionError, SignalboxError, toSignalboxError } from "./errors.ts";
export type { Followed } from "./follow.ts";
export type { FollowFleetInput } from "./follow-fleet.ts";
export type { FollowSessionInput } from "./follow-session.ts";
export type { PromptRequest } from "./prompt.ts";
export { SAFE_TO_RETRY } from "./retry.ts";
export type { SignalboxApi } from "./transport.ts";
