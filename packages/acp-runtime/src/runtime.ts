import type {
  AcpLimits,
  AdapterProcess,
  AgentEntry,
  AgentReport,
  AgentSession,
  FleetEvent,
  JsonObject,
  OpenSessionInput,
  PendingPermission,
  PendingQuestion,
  PromptInput,
  PromptResult,
  RespondResult,
  SessionConfig,
  SessionEvent,
  SessionInfo,
  SubmittedPrompt,
  UsageQuery,
  UsageSummary,
} from "@signalbox/protocol";
import type {
  Caller,
  HistoryPage,
  HistoryQuery,
  ListQuery,
  PageQuery,
  WithSession,
} from "./queries.ts";
import type { ExportFormat, SessionExport } from "./reads/export.ts";
import type { HistoryHit, HistorySearch } from "./reads/search.ts";
import type { PermissionAnswer, QuestionAnswer } from "./requests/request-answers.ts";

export interface RuntimeInfo {
  limits: AcpLimits;
  counts: {
    sessions: number;
    liveAdapters: number;
    runningPrompts: number;
    pendingPermissions: number;
  };
  storage: { databaseBytes: number; walBytes: number };
}

/** Everything a client can ask for; the API parses, authorises and calls one of these. */
export interface Runtime {
  listAgents(): Promise<{ agents: AgentEntry[] }>;
  checkAgent(agent: string, caller: Caller): Promise<AgentReport>;
  listAgentSessions(query: {
    agent: string;
    cwd: string;
    cursor?: string | undefined;
  }): Promise<{ sessions: AgentSession[]; nextCursor: string | null }>;
  authenticateAgent(login: { agent: string; methodId: string }, caller: Caller): Promise<void>;
  agentProcesses(): Promise<{ processes: AdapterProcess[] }>;
  agentStderr(sessionId: string): Promise<{ text: string; truncated: boolean }>;
  openSession(input: WithSession<OpenSessionInput>, caller: Caller): Promise<void>;
  rotateEnv(
    change: { sessionId: string; env: Readonly<Record<string, string>> },
    caller: Caller,
  ): Promise<void>;
  unloadSession(sessionId: string, caller: Caller): Promise<void>;
  deleteSession(sessionId: string, caller: Caller): Promise<void>;
  getSession(sessionId: string): Promise<SessionInfo>;
  listSessions(query: ListQuery): Promise<{ sessions: SessionInfo[]; nextCursor: string | null }>;
  history(query: HistoryQuery): Promise<HistoryPage>;
  search(query: HistorySearch): Promise<{ hits: HistoryHit[]; nextCursor: string | null }>;
  exportSession(target: { sessionId: string; format: ExportFormat }): Promise<SessionExport>;
  sessionConfig(sessionId: string): Promise<SessionConfig>;
  sessionCapabilities(sessionId: string): Promise<{ capabilities: JsonObject | null }>;
  sessionAgentInfo(sessionId: string): Promise<{ agentInfo: JsonObject | null }>;
  submitPrompt(input: WithSession<PromptInput>, caller: Caller): Promise<SubmittedPrompt>;
  /** Blocks until the turn has ended; throws the stored error of a failed one. */
  promptResult(
    target: { sessionId: string; promptId: string },
    signal: AbortSignal,
  ): Promise<PromptResult>;
  awaitPrompt(
    target: { sessionId: string; promptId: string },
    waitMs: number,
    signal: AbortSignal,
  ): Promise<PromptResult | { pending: true }>;
  cancelPrompt(
    target: { sessionId: string; promptId: string | undefined; wait: boolean },
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ status: "cancelled" | "no_active_prompt" }>;
  setConfigOption(
    change: { sessionId: string; configId: string; value: string | boolean },
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ revision: number; options: JsonObject[] }>;
  followSession(
    from: { sessionId: string; after: number | undefined; lastEventId: string | null },
    signal: AbortSignal,
  ): AsyncGenerator<{ cursor: string; event: SessionEvent }>;
  followFleet(
    from: { lastEventId: string | null },
    signal: AbortSignal,
  ): AsyncGenerator<{ cursor: string; event: FleetEvent }>;
  respondToPermission(answer: PermissionAnswer, caller: Caller): Promise<RespondResult>;
  pendingPermissions(
    query: PageQuery,
  ): Promise<{ requests: PendingPermission[]; nextCursor: string | null }>;
  respondToQuestion(answer: QuestionAnswer, caller: Caller): Promise<RespondResult>;
  pendingQuestions(
    query: PageQuery,
  ): Promise<{ requests: PendingQuestion[]; nextCursor: string | null }>;
  usageSummary(query: UsageQuery): Promise<UsageSummary>;
  info(): Promise<RuntimeInfo>;
  /** Refuses new work, lets turns end for `graceMs`, cancels the rest, ends every adapter. */
  close(options: { graceMs: number }): Promise<void>;
}
