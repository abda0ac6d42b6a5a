import { agentsRouter } from "./routers/agents.ts";
import { fleetRouter } from "./routers/fleet.ts";
import { permissionsRouter } from "./routers/permissions.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { systemRouter } from "./routers/system.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  agents: agentsRouter,
  fleet: fleetRouter,
  permissions: permissionsRouter,
  sessions: sessionsRouter,
  system: systemRouter,
});

export type AppRouter = typeof appRouter;
export type { ApiContext, Identity, SystemFacts } from "./context.ts";
export { toAppError } from "./error-map.ts";
