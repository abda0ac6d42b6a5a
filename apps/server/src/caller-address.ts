import type { IncomingMessage } from "node:http";

/**
 * The address a request came from. Behind a proxy of the operator's that is the last entry of
 * `X-Forwarded-For`: the one the proxy itself added. What stands before it anybody may have written.
 */
export function callerAddress(
  request: IncomingMessage,
  { trustedProxy }: { trustedProxy: boolean },
): string | null {
  const direct = request.socket.remoteAddress ?? null;
  if (!trustedProxy) return direct;
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",");
  const last = forwarded.split(",").at(-1)?.trim();
  return last || direct;
}
