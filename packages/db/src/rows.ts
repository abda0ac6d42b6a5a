import type { PermissionPolicy, PromptState, QuestionAction } from "@signalbox/protocol";

/** Rows as raw statements return them: JSON columns as text, times in milliseconds. */

/** A session with its detail. */
export interface SessionRow {
  sessionId: string;
  incarnation: string;
  agent: string;
  cwd: string;
  additionalDirectories: string;
  mcpServers: string;
  permissionPolicy: PermissionPolicy;
  skipOsInstructions: number;
  additionalInstructions: string;
  adopt: string | null;
  envSealed: string | null;
  agentSessionId: string | null;
  title: string | null;
  metadata: string | null;
  usage: string | null;
  configRevision: number;
  configOptions: string;
  modes: string | null;
  availableCommands: string;
  capabilities: string | null;
  agentInfo: string | null;
  latestSequence: number;
  oldestSequence: number;
  historyBytes: number;
  lastError: string | null;
  createdAt: number;
  updatedAt: number;
  ownerId: string;
  ownerEpoch: number;
}

export interface PromptRow {
  promptId: string;
  sessionId: string;
  idempotencyKey: string | null;
  contentHash: string;
  queuedContent: string | null;
  state: PromptState;
  acceptedSequence: number;
  startSequence: number | null;
  endSequence: number | null;
  stopReason: string | null;
  error: string | null;
  result: string | null;
  usage: string | null;
  queuedAt: number | null;
  startedAt: number | null;
  dispatchedAt: number | null;
  endedAt: number | null;
  createdAt: number;
}

export interface EventRow {
  sessionId: string;
  sequence: number;
  promptId: string | null;
  type: string;
  fields: string;
  timestamp: number;
}

export interface PermissionRow {
  requestId: string;
  sessionId: string;
  promptId: string | null;
  toolCallId: string | null;
  toolCall: string;
  options: string;
  digest: string;
  state: "pending" | "decided" | "ended";
  outcome: string | null;
  reason: string | null;
  resolvedBy: string | null;
  requestedAt: number;
  resolvedAt: number | null;
}

export interface QuestionRow {
  requestId: string;
  sessionId: string;
  promptId: string | null;
  message: string;
  mode: "form" | "url";
  schema: string | null;
  url: string | null;
  state: "pending" | "answered" | "ended";
  action: QuestionAction | null;
  reason: string | null;
  resolvedBy: string | null;
  requestedAt: number;
  resolvedAt: number | null;
}

/** The node that may write a session's rows; every owner write names it. */
export interface Owner {
  ownerId: string;
  ownerEpoch: number;
}
