import { z } from "zod";
import type { ErrorData, StoredError } from "./errors.ts";
import type { Actor } from "./identity.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { StopReason } from "./prompt-state.ts";

const sessionId = z.string().optional();

const nameValue = z.looseObject({ name: z.string(), value: z.string() });

/** Exact native ACP values; unknown members are kept. */
export const mcpServerSchema = z.union([
  z.looseObject({
    type: z.enum(["http", "sse"]),
    name: z.string().min(1),
    url: z.url(),
    headers: z.array(nameValue),
  }),
  z.looseObject({
    type: z.literal("stdio").optional(),
    name: z.string().min(1),
    command: z.string().min(1),
    args: z.array(z.string()),
    env: z.array(nameValue),
  }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

export const permissionPolicySchema = z.enum(["allow_all", "reject_all", "ask"]);
export type PermissionPolicy = z.infer<typeof permissionPolicySchema>;

export const openSessionInputSchema = z.strictObject({
  sessionId,
  agent: z.string().min(1),
  cwd: z.string().optional(),
  additionalDirectories: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  mcpServers: z.array(z.unknown()).optional(),
  permissionPolicy: permissionPolicySchema.optional(),
  skipOsInstructions: z.boolean().optional(),
  additionalInstructions: z.string().optional(),
  adopt: z.strictObject({ agentSessionId: z.string().min(1) }).optional(),
});
export type OpenSessionInput = z.infer<typeof openSessionInputSchema>;

/** A native ACP content block, kept as it came. */
export type ContentBlock = { type: string } & JsonObject;

export const promptInputSchema = z.strictObject({
  sessionId,
  idempotencyKey: z.string().optional(),
  content: z.array(z.unknown()),
  whenBusy: z.enum(["reject", "queue"]).optional(),
});
export type PromptInput = z.infer<typeof promptInputSchema>;

export interface PromptResult {
  sessionId: string;
  promptId: string;
  /** The agent's committed messages of the turn in order; null when it said nothing. */
  message: { id: string; role: "agent"; content: ContentBlock[] } | null;
  stopReason: StopReason;
}

export interface SubmittedPrompt {
  promptId: string;
  /** The last event of the acceptance. */
  sequence: number;
  repeated: boolean;
}

export interface PermissionOption {
  optionId: string;
  name: string;
  /** Usually allow_once, allow_always, reject_once or reject_always; the set is open. */
  kind: string;
  [field: string]: JsonValue;
}

export interface PendingPermission {
  sessionId: string;
  requestId: string;
  promptId: string | null;
  toolCall: JsonObject;
  options: PermissionOption[];
  digest: string;
  requestedAt: string;
  agent: string;
  cwd: string;
  title: string | null;
}

export const questionActionSchema = z.enum(["accept", "decline", "cancel"]);
export type QuestionAction = z.infer<typeof questionActionSchema>;

export interface PendingQuestion {
  sessionId: string;
  requestId: string;
  promptId: string | null;
  message: string;
  mode: "form" | "url";
  schema?: JsonObject;
  url?: string;
  requestedAt: string;
}

/** waiting over running over failed over idle; failed lasts until the next acceptance. */
export type SessionState =
  | { status: "idle" }
  | { status: "running"; promptId: string; startedAt: string }
  | {
      status: "waiting";
      promptId: string | null;
      waitingSince: string;
      requests: PendingPermission[];
      questions: PendingQuestion[];
    }
  | { status: "failed"; error: StoredError };

export type SessionStatus = SessionState["status"];
export const sessionStatusSchema = z.enum(["idle", "running", "waiting", "failed"]);

export type AdapterPresence = "live" | "starting" | "unloaded";

export interface SessionInfo {
  sessionId: string;
  agent: string;
  cwd: string;
  additionalDirectories: string[];
  permissionPolicy: PermissionPolicy;
  state: SessionState;
  adapter: AdapterPresence;
  latestSequence: number;
  title: string | null;
  metadata: JsonObject | null;
  usage: JsonObject | null;
  queuedPrompts: { promptId: string; queuedAt: string }[];
  pendingPermissions: number;
  createdAt: string;
  updatedAt: string;
}

export interface SessionConfig {
  /** Grows by one with each change of the collection. */
  revision: number;
  options: JsonObject[];
  modes: JsonObject | null;
  availableCommands: JsonObject[];
}

export interface AgentEntry {
  id: string;
  title: string;
  installed: boolean;
  entrypoint: string | null;
  version: string | null;
  installHint: string | null;
  source: "config" | "registry" | "builtin";
}

/** A running adapter, with everything that it started. */
export interface AdapterProcess {
  sessionId: string;
  agent: string;
  pid: number;
  startedAt: string;
  rssBytes: number;
  processes: number;
  state: "starting" | "ready" | "stopping" | "held";
}

export type CheckStepName = "spawn" | "initialize" | "session/new" | "stop";

/** What a trial start of an agent showed. */
export interface AgentReport {
  agent: string;
  ok: boolean;
  steps: { name: CheckStepName; ok: boolean; durationMs: number; error?: ErrorData }[];
  protocolVersion: JsonValue;
  capabilities: JsonObject | null;
  authMethods: JsonObject[];
  agentInfo: JsonObject | null;
  /** Where it did otherwise than the protocol says. */
  deviations: string[];
  /** What the operator can do. */
  advice: string[];
  stderrTail: string;
}

/** One of the sessions that an agent keeps itself. */
export interface AgentSession {
  agentSessionId: string;
  cwd: string;
  title: string | null;
  updatedAt: string | null;
}

export type FleetEvent = { timestamp: string } & (
  | { type: "session_created" | "session_changed"; session: SessionInfo }
  | { type: "session_deleted"; sessionId: string }
  | { type: "permission_requested"; request: PendingPermission }
  | {
      type: "permission_resolved";
      sessionId: string;
      requestId: string;
      status: "accepted" | "not_pending";
      reason?: string;
      resolvedBy?: Actor;
    }
  | { type: "question_requested"; request: PendingQuestion }
  | {
      type: "question_resolved";
      sessionId: string;
      requestId: string;
      action: QuestionAction;
      resolvedBy?: Actor;
    }
  | {
      type: "adapter_exited";
      sessionId: string;
      exitCode: number | null;
      signal: string | null;
      expected: boolean;
    }
);
