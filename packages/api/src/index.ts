import { agentsRouter } from "./routers/agents.ts";
import { auditRouter } from "./routers/audit.ts";
import { fleetRouter } from "./routers/fleet.ts";
import { permissionsRouter } from "./routers/permissions.ts";
import { questionsRouter } from "./routers/questions.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { systemRouter } from "./routers/system.ts";
import { loginsRouter, tokensRouter } from "./routers/tokens.ts";
import { usageRouter } from "./routers/usage.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  agents: agentsRouter,
  audit: auditRouter,
  fleet: fleetRouter,
  logins: loginsRouter,
  permissions: permissionsRouter,
  questions: questionsRouter,
  sessions: sessionsRouter,
  system: systemRouter,
  tokens: tokensRouter,
  usage: usageRouter,
});

export type AppRouter = typeof appRouter;
export { Accounts, ADMIN_TOKEN_NAME } from "./accounts.ts";
export type { ApiContext, CallNote, Identity, SystemFacts } from "./context.ts";
export { toAppError } from "./error-map.ts";
export { ExactText, withExactEvents } from "./exact-json.ts";
export { type ExportTarget, ExportTickets } from "./export-tickets.ts";
