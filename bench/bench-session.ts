/** A session as an open would create it, for measurements below the runtime. */
export const BENCH_SESSION = {
  sessionId: "main",
  agent: "bench",
  cwd: "/",
  additionalDirectories: "[]",
  mcpServers: "[]",
  permissionPolicy: "ask",
  skipOsInstructions: false,
  additionalInstructions: "",
  adopt: null,
  envSealed: null,
};
