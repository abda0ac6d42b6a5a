import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";

export interface PageSecurity {
  readonly nonce: string;
  readonly policy: string;
}

/** @param isDevelopment allows what Next's reloading needs */
export function pageSecurity(isDevelopment: boolean): PageSecurity {
  const nonce = randomBytes(16).toString("base64");
  const evaluation = isDevelopment ? " 'unsafe-eval'" : "";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { nonce, policy };
}

/** Set on every answer of this origin, whoever makes it. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
}
