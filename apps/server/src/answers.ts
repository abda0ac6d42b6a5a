import type { ServerResponse } from "node:http";
import type { AppError } from "@signalbox/protocol";

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
  });
  response.end(JSON.stringify(body));
}

/** The form of an error on routes that are not tRPC's. */
export function sendError(response: ServerResponse, error: AppError): void {
  const data = error.toData();
  sendJson(response, data.httpStatus, { error: { message: error.message, data } });
}
