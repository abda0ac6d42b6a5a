/**
 * Each pinned agent against the stand-in, with nothing of ours between: when this fails, the
 * installation or the stand-in is at fault, not the server.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentProcess } from "./agent-process.ts";
import { agentsUnderTest } from "./agents.ts";
import { ModelApi } from "./model-api/model-api.ts";
import { GREETING } from "./model-api/script.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

for (const { id, entry, key } of agentsUnderTest) {
  test(`${id} starts and speaks with the stand-in`, async () => {
    await using modelApi = await ModelApi.start();
    using folder = new TemporaryFolder();
    const cwd = join(folder.path, "workspace");
    mkdirSync(cwd);
    const launch = entry(join(folder.path, "home"), modelApi.url);
    await using agent = new AgentProcess(launch, { [key.name]: key.value }, cwd);

    const initialized = await agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    expect(initialized.protocolVersion).toBe(1);

    const { sessionId = null } = await agent.request("session/new", { cwd, mcpServers: [] });
    const prompt = [{ type: "text", text: "Say hello" }];
    const ended = await agent.request("session/prompt", { sessionId, prompt });

    expect(ended.stopReason).toBe("end_turn");
    expect(agent.text).toContain(GREETING);
    expect(modelApi.exchangesAbout("Say hello")).toMatchObject([
      { apiKey: key.value, ending: "answered" },
    ]);
  });
}
