import type { WebSocket } from "ws";

const UNAUTHORIZED_CLOSE = 4401;
/** How long a peer may take to close its side. */
const CLOSE_WAIT_MS = 1_000;

/** Closes a socket whose token is missing, wrong or at its end, whether its peer answers or not. */
export function closeUnauthorized(client: WebSocket): void {
  client.close(UNAUTHORIZED_CLOSE, "unauthorized");
  const patience = setTimeout(() => client.terminate(), CLOSE_WAIT_MS);
  client.once("close", () => clearTimeout(patience));
}
