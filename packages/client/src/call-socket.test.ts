import { AppError, type PromptResult } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { connect } from "./index.ts";
import { ScriptedServer } from "./testing/scripted-server.ts";

const RESULT: PromptResult = {
  sessionId: "main",
  promptId: "p1",
  message: null,
  stopReason: "end_turn",
};
const content = [{ type: "text", text: "hello" }];

test("prompts that wait beside each other get their own answers and errors", async () => {
  const release: (() => void)[] = [];
  await using server = await ScriptedServer.start({
    prompt: async (input) => {
      await new Promise<void>((resolve) => release.push(resolve));
      if (input.sessionId === "bad") throw new AppError("session_busy", "busy");
      return { ...RESULT, sessionId: String(input.sessionId) };
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  const prompt = (sessionId: string) => client.api.sessions.prompt.mutate({ sessionId, content });
  const calls = [prompt("one"), prompt("bad"), prompt("two")];
  const settled = Promise.allSettled(calls);
  await expect.poll(() => release.length).toBe(3);
  for (const free of release.reverse()) free();
  expect(await settled).toMatchObject([
    { status: "fulfilled", value: { sessionId: "one" } },
    { status: "rejected", reason: { name: "SignalboxError", code: "session_busy" } },
    { status: "fulfilled", value: { sessionId: "two" } },
  ]);
});

test("a lost connection fails the call as one, and the next call connects again", async () => {
  let calls = 0;
  let taken: () => void = () => undefined;
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve;
  });
  await using server = await ScriptedServer.start({
    prompt: async () => {
      calls += 1;
      taken();
      return calls === 1 ? new Promise(() => undefined) : RESULT;
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  const lost = client.api.sessions.prompt.mutate({ content });
  const failure = expect(lost).rejects.toMatchObject({ name: "SignalboxConnectionError" });
  await isTaken;
  server.dropSockets();
  await failure;
  expect(await client.api.sessions.prompt.mutate({ content })).toEqual(RESULT);
});

test("a refused token is unauthorized, and an aborted call ends with its reason", async () => {
  await using server = await ScriptedServer.start({
    isWelcome: (token) => token === "good",
    prompt: () => new Promise(() => undefined),
  });
  await using stranger = connect({ url: server.url, token: "bad" });
  await expect(stranger.api.sessions.prompt.mutate({ content })).rejects.toMatchObject({
    name: "SignalboxError",
    code: "unauthorized",
  });
  await using client = connect({ url: server.url, token: "good" });
  const gone = new AbortController();
  const call = client.api.sessions.prompt.mutate({ content }, { signal: gone.signal });
  const ended = expect(call).rejects.toThrow("no longer needed");
  gone.abort(new Error("no longer needed"));
  await ended;
});
