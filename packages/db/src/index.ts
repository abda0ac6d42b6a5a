export {
  type AuditEntry,
  type AuditRecord,
  appendAudit,
  appendAuditInWrite,
  readAudit,
  verifyAudit,
} from "./audit.ts";
export { type Database, type OpenDatabaseOptions, openDatabase, type Sqlite } from "./database.ts";
export { decidedDetails } from "./decided-details.ts";
export {
  type EventPage,
  type EventsAfter,
  readEventPage,
  readEventsAfter,
  readNewestMessages,
  readTurnMessages,
} from "./events.ts";
export { type FleetNews, type FleetNewsType, tellFleetInWrite } from "./fleet-news.ts";
export { lockDataDir } from "./instance-lock.ts";
export { type CheckedLimits, checkInvariants, type Violation } from "./invariants.ts";
export { claimNode, dataFolderId } from "./nodes.ts";
export {
  countPendingIn,
  findRequest,
  findRequestTombstone,
  type OfSession,
  type RequestScope,
  type RequestTable,
  readPendingOfSessions,
  readPendingPageOf,
  readResolvedSince,
} from "./pending-requests.ts";
export {
  countPendingPermissions,
  decidePermissionInWrite,
  endPermissionsInWrite,
  type NewPermission,
  openPermissionInWrite,
} from "./permissions.ts";
export {
  type Acceptance,
  acceptPromptInWrite,
  cancelQueuedPromptsInWrite,
  countRunningPrompts,
  finishPromptInWrite,
  hasDispatchedPrompt,
  markDispatched,
  type NewPrompt,
  type OpenPrompt,
  readOpenPrompts,
  readPrompt,
  readSessionsWithQueuedPrompts,
  startQueuedPromptInWrite,
} from "./prompts.ts";
export {
  answerQuestionInWrite,
  completeQuestionInWrite,
  endQuestionsInWrite,
  type NewQuestion,
  openQuestionInWrite,
} from "./questions.ts";
export { type Recovered, recoverFromCrash } from "./recovery.ts";
export {
  countPromptsIn,
  type HistoryFigures,
  type HistoryLimits,
  historyFiguresIn,
  isOverHistoryLimits,
  pruneEventsInWrite,
  pruneOldPrompts,
  prunePromptsInWrite,
} from "./retention.ts";
export type {
  EventRow,
  Owner,
  PermissionRow,
  PromptRow,
  QuestionRow,
  SessionRow,
} from "./rows.ts";
export { runningPromptIdIn } from "./running-turn.ts";
export { openSealer, type Sealer } from "./seal.ts";
export { type SearchHit, searchEvents, wordsOf } from "./search.ts";
export {
  type Appended,
  appendEventsInWrite,
  dropOpenMessageInWrite,
  foldInWrite,
  type NewEvent,
  type SessionFold,
  saveOpenMessageInWrite,
  sessionNotFound,
} from "./session-log.ts";
export {
  countSessions,
  countSessionsIn,
  createSessionInWrite,
  deleteSessionInWrite,
  findSession,
  isAgentSessionBound,
  isAgentSessionBoundIn,
  listSessionRows,
  type Negotiated,
  type NewSession,
  readChangedSince,
  readSession,
  replaceEnvInWrite,
  saveNegotiatedInWrite,
} from "./sessions.ts";
export { toStorageError } from "./storage-error.ts";
export { readDatabaseBytes } from "./storage-figures.ts";
export {
  createToken,
  findToken,
  hasLogin,
  listTokens,
  newSecret,
  noteTokenUse,
  replaceToken,
  revokeToken,
  type TokenRecord,
} from "./tokens.ts";
export { type AddedCost, addCostInWrite, type TurnUsage, type UsageFacts } from "./usage-rollup.ts";
export { readUsage, type UsageRange } from "./usage-summary.ts";
