export {
  type AuditChainFields,
  type AuditRow,
  auditChainText,
  type Login,
  type Token,
} from "./accounts.ts";
export {
  AppError,
  type ErrorCode,
  type ErrorData,
  type ErrorDetails,
  httpStatusOf,
  isErrorCode,
  limitError,
  type StoredError,
} from "./errors.ts";
export {
  composeEvent,
  type DurableEvent,
  ENVELOPE_NAMES,
  type EphemeralEvent,
  META,
  type NotPendingReason,
  OWN_EVENT,
  type RespondResult,
  type RestoreMode,
  type SessionEvent,
  type TurnEndedFields,
  typeOfAgentUpdate,
} from "./events.ts";
export { EXIT_CODE } from "./exit-code.ts";
export {
  type Actor,
  DEFAULT_SESSION_ID,
  parseIdempotencyKey,
  parseSessionId,
  SCOPES,
  type Scope,
  SYSTEM_ACTOR,
  scopeSchema,
  utf8Bytes,
} from "./identity.ts";
export { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export {
  type AcpLimits,
  acpLimitsSchema,
  DEFAULT_LIMITS,
  limitContradictions,
  limitPath,
} from "./limits.ts";
export {
  isFinal,
  isRunning,
  isStopReason,
  type PromptState,
  STOP_REASONS,
  type StopReason,
  sourcesOf,
} from "./prompt-state.ts";
export { type AnswerProblem, checkAnswer, type MatchesPattern } from "./question-answer.ts";
export { type FormChoice, type FormControl, type FormField, readForm } from "./question-form.ts";
export {
  type AdapterPresence,
  type AdapterProcess,
  type AgentEntry,
  type AgentReport,
  type AgentSession,
  type CheckStepName,
  type ContentBlock,
  type FleetEvent,
  type McpServer,
  mcpServerSchema,
  type OpenSessionInput,
  openSessionInputSchema,
  type PendingPermission,
  type PendingQuestion,
  type PermissionOption,
  type PermissionPolicy,
  type PromptInput,
  type PromptResult,
  permissionPolicySchema,
  promptInputSchema,
  type QuestionAction,
  questionActionSchema,
  type SessionConfig,
  type SessionInfo,
  type SessionState,
  type SessionStatus,
  type SubmittedPrompt,
  sessionStatusSchema,
} from "./session.ts";
export { type UsageQuery, type UsageRow, type UsageSummary, usageQuerySchema } from "./usage.ts";
