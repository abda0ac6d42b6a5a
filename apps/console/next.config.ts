import path from "node:path";
import type { NextConfig } from "next";

const repoRoot = path.resolve(import.meta.dirname, "../..");

const config: NextConfig = {
  poweredByHeader: false,
  // The server's proxy passes it on as it is: an operator may sit behind a slow line.
  compress: true,
  devIndicators: false,
  transpilePackages: ["@signalbox/protocol"],
  turbopack: { root: repoRoot },
  outputFileTracingRoot: repoRoot,
  images: { unoptimized: true, remotePatterns: [] },
  // `turbo typecheck` checks every workspace; a build must not need the whole repository's types.
  typescript: { ignoreBuildErrors: true },
  // In development the browser talks to the server's port, which passes requests on to this one.
  allowedDevOrigins: ["127.0.0.1", "localhost", "[::1]"],
};

export default config;
