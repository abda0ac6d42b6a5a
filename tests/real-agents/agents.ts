/**
 * The agents under test: where each is installed, and how it is pointed at the stand-in. Every
 * agent has a HOME of its own, so that it neither reads nor leaves anything in the user's.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { z } from "zod";

/** An entry of the server's agent catalogue. */
export interface CatalogueEntry {
  profile: string;
  title: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  passEnv: string[];
}

export interface AgentUnderTest {
  id: "codex" | "claude";
  /** The variable that carries the model API's key, and a value that no other agent has. */
  key: { name: string; value: string };
  /** A value of its `mode` option, and the words by which the model is told of it. */
  readOnlyMode: { value: string; words: string };
  /** Writes the agent's own configuration into its HOME. */
  entry(home: string, modelApiUrl: string): CatalogueEntry;
}

const codex: AgentUnderTest = {
  id: "codex",
  key: { name: "STAND_IN_KEY", value: "key-of-codex" },
  readOnlyMode: { value: "read-only", words: "`sandbox_mode` is `read-only`" },
  entry(home, modelApiUrl) {
    const codexHome = join(home, ".codex");
    mkdirSync(codexHome, { recursive: true });
    writeFileSync(join(codexHome, "config.toml"), codexConfig(modelApiUrl));
    const native = `@zed-industries/codex-acp-linux-${process.arch}`;
    return {
      profile: "codex",
      title: "Codex",
      command: join(installation("codex-acp"), native, "bin", "codex-acp"),
      args: [],
      env: { ...environmentIn(home), CODEX_HOME: codexHome },
      passEnv: [codex.key.name],
    };
  },
};

const claude: AgentUnderTest = {
  id: "claude",
  key: { name: "ANTHROPIC_API_KEY", value: "sk-ant-key-of-claude" },
  readOnlyMode: { value: "plan", words: "Plan mode is active" },
  entry: (home, modelApiUrl) => ({
    profile: "claude",
    title: "Claude Code",
    command: process.execPath,
    args: [
      join(installation("claude-agent-acp"), "@zed-industries/claude-agent-acp/dist/index.js"),
    ],
    env: {
      ...environmentIn(home),
      ANTHROPIC_BASE_URL: modelApiUrl,
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
    passEnv: [claude.key.name],
  }),
};

export const agentsUnderTest: readonly AgentUnderTest[] = [codex, claude];

function environmentIn(home: string): Record<string, string> {
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  return { HOME: home, TMPDIR: temporary, SHELL: "/bin/bash", TERM: "dumb", NO_COLOR: "1" };
}

/** The node_modules folder of a pinned agent, as scripts/test-agents.mjs installs it. */
function installation(name: string): string {
  const root = env.SIGNALBOX_AGENTS_DIR ?? join(homedir(), ".cache", "signalbox", "agents");
  const manifest = readFileSync(new URL(`pinned/${name}/package.json`, import.meta.url), "utf8");
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(manifest));
  return join(root, `${name}-${Object.values(dependencies).join()}`, "node_modules");
}

function codexConfig(modelApiUrl: string): string {
  return `model = "stand-in"
model_provider = "stand-in"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.stand-in]
name = "Stand-in"
base_url = "${modelApiUrl}/v1"
env_key = "${codex.key.name}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`;
}
