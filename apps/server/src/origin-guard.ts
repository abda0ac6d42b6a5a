import type { IncomingMessage } from "node:http";
import { AppError } from "@signalbox/protocol";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses calls that were not made to this server by its own name, or that another web page made.
 * A name that an attacker points at the loopback address is a foreign Host.
 */
export class OriginGuard {
  readonly #hosts: ReadonlySet<string>;

  constructor(port: number, allowedHosts: readonly string[]) {
    this.#hosts = new Set(
      [...LOOPBACK_NAMES.map((name) => `${name}:${port}`), ...allowedHosts].map((host) =>
        host.toLowerCase(),
      ),
    );
  }

  /** @throws AppError `forbidden` */
  assert(request: IncomingMessage): void {
    const { host, origin } = request.headers;
    if (host === undefined || !this.#hosts.has(host.toLowerCase())) {
      throw new AppError("forbidden", "this Host is not served here", {
        details: { header: "host" },
      });
    }
    if (origin !== undefined && !this.#isOwnOrigin(origin)) {
      throw new AppError("forbidden", "this Origin may not call here", {
        details: { header: "origin" },
      });
    }
  }

  #isOwnOrigin(origin: string): boolean {
    const match = /^https?:\/\/(.+)$/.exec(origin.toLowerCase());
    return match?.[1] !== undefined && this.#hosts.has(match[1]);
  }
}
