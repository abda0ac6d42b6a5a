import type { ErrorCode } from "@signalbox/protocol";
import type { ContractRow } from "./contract-row.ts";

/** Each code of the closed set, and a test that has it produced. */
export const PRODUCED_BY: Readonly<Record<ErrorCode, string>> = {
  bad_request: "tests/integration/bad-input.test.ts › an unknown field is named",
  unauthorized:
    "tests/integration/scopes.test.ts › is refused without a valid token, over every way in",
  forbidden:
    "tests/integration/scopes.test.ts › a token with one scope may do what that scope is for, and no more",
  rate_limited:
    "apps/server/src/login.test.ts › wrong codes are told to slow down, and do not lock the right one out",
  invalid_session_id: "tests/integration/bad-input.test.ts › with %s is refused and leaves nothing",
  invalid_cwd: "tests/integration/bad-input.test.ts › with %s is refused and leaves nothing",
  cwd_missing: "tests/integration/bad-input.test.ts › in a missing folder names the field",
  unknown_agent: "tests/integration/bad-input.test.ts › with %s is refused and leaves nothing",
  invalid_env: "tests/integration/bad-input.test.ts › with %s is refused and leaves nothing",
  invalid_mcp_server: "tests/integration/bad-input.test.ts › with %s is refused and leaves nothing",
  session_not_found: "tests/integration/access.test.ts › a mutation changes nothing",
  session_conflict:
    "tests/integration/bad-input.test.ts › again with another identity is a conflict, with the same is not",
  session_busy:
    "tests/integration/whole-walk.test.ts › queued prompts run in order after the turn ahead",
  sessions_limit:
    "packages/acp-runtime/src/sessions/session-starts.test.ts › opens that come at once cannot exceed the number of sessions together",
  invalid_content_block: "tests/integration/bad-input.test.ts › with %s is refused",
  unsupported_content:
    "packages/acp-runtime/src/turns/idempotency.test.ts › what is refused before its acceptance binds no key",
  prompt_too_large: "tests/integration/bad-input.test.ts › over %s names the limit",
  invalid_idempotency_key: "tests/integration/bad-input.test.ts › with %s is refused",
  idempotency_conflict:
    "tests/integration/whole-walk.test.ts › one key is one turn, over HTTP and over the socket, also while it runs",
  prompt_not_found: "tests/integration/bad-input.test.ts › %s with %o is %s",
  prompt_not_delivered:
    "tests/integration/crash-recovery.test.ts › a prompt that was accepted and never sent is closed as not delivered",
  prompt_delivery_uncertain:
    "tests/integration/crash-recovery.test.ts › a server killed in a turn closes it as uncertain, keeps its text and goes on",
  prompt_failed:
    "packages/acp-runtime/src/turns/turn-ends.test.ts › a turn that fails after it was sent says %s and delivery uncertain",
  invalid_stop_reason:
    "packages/acp-runtime/src/turns/turn-ends.test.ts › a turn that fails after it was sent says %s and delivery uncertain",
  adapter_spawn_failed:
    "tests/integration/bad-input.test.ts › with an agent that ends at once tells how it ended and leaves nothing",
  adapter_timeout:
    "packages/acp-runtime/src/sessions/session-lifecycle.test.ts › an agent that does not answer in time is stopped",
  adapter_exited:
    "tests/integration/fleet.test.ts › a follower of all sessions that %s sees what an operator must know",
  adapter_protocol_error:
    "packages/acp-runtime/src/sessions/session-starts.test.ts › equal opens that come at once share one start, its failure too; another one has its own",
  adapter_incompatible:
    "packages/acp-runtime/src/agents/agent-check.test.ts › an agent of another protocol fails at initialize, one that is not there at spawn",
  auth_required:
    "packages/acp-runtime/src/agents/agent-check.test.ts › an agent that wants a login fails at its session, with what the operator can do",
  restore_failed:
    "packages/acp-runtime/src/turns/turn-ends.test.ts › a turn that fails before it was sent says %s and delivery never",
  adopt_failed:
    "packages/acp-runtime/src/agents/agent-check.test.ts › a session of the agent's own belongs to one session here",
  invalid_history_cursor: "tests/integration/bad-input.test.ts › history refuses impossible pages",
  history_limit: "tests/integration/bad-input.test.ts › history refuses impossible pages",
  history_cursor_expired:
    "tests/integration/resume.test.ts › neither a cursor of another session nor one from before a delete is taken",
  history_cursor_ahead: "tests/integration/bad-input.test.ts › history refuses impossible pages",
  invalid_list_cursor:
    "tests/integration/accounts.test.ts › the audit log is paged, newest first, each row once, and by session",
  list_limit:
    "tests/integration/accounts.test.ts › the audit log is paged, newest first, each row once, and by session",
  invalid_permission_option:
    "tests/integration/permissions.test.ts › an answer that was not offered, or to another question, leaves the request open",
  permission_changed:
    "tests/integration/permissions.test.ts › an answer that was not offered, or to another question, leaves the request open",
  permission_policy_unsatisfied:
    "packages/acp-runtime/src/requests/permissions.test.ts › a policy that fits no option cancels the request and says so",
  invalid_answer:
    "tests/integration/questions.test.ts › a form is answered through the API, checked against its schema, pattern included",
  invalid_config_value: "tests/integration/bad-input.test.ts › %s with %o is %s",
  config_rejected: "tests/integration/bad-input.test.ts › %s with %o is %s",
  limit_exceeded:
    "packages/acp-runtime/src/requests/permission-rules.test.ts › a request over the limit is answered as cancelled and says which limit to raise",
  storage_full:
    "packages/acp-runtime/src/output/storage-failures.test.ts › a turn whose output the disk refuses fails with the cause and loses none of it",
  storage_busy:
    "apps/server/src/login.test.ts › a database that another process holds is a busy storage, and costs no code",
  storage_corrupt:
    "apps/server/src/login.test.ts › a damaged file is a damaged storage for whoever shows a token",
  database_in_use:
    "packages/db/src/instance-lock.test.ts › a second holder is told the folder and who holds it",
  schema_newer:
    "packages/db/src/migrate.test.ts › a file of a newer version is refused and not touched",
  server_draining:
    "packages/acp-runtime/src/turns/turn-ends.test.ts › a stop of the server lets a turn end within its grace",
  internal:
    "packages/api/src/error-map.test.ts › an expected failure is told as it is, a bug without its text",
};

export const rows: readonly ContractRow[] = Object.entries(PRODUCED_BY).map(([code, test]) => ({
  sentence: `The code ${code}`,
  tests: [test],
}));
