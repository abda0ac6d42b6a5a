import type { JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { ModelApi } from "./model-api.ts";
import { bigText, GREETING, slowText } from "./script.ts";

interface SentTurn {
  role: "user" | "tool";
  text: string;
}

/** One vendor's side of the wire, as its agent speaks it. */
interface Vendor {
  name: string;
  path: string;
  key: Record<string, string>;
  body(turns: SentTurn[]): JsonObject;
  /** The text of one event, empty for an event without any. */
  delta(event: JsonObject): unknown;
  lastType: string;
  callType: string;
}

const anthropic: Vendor = {
  name: "anthropic-messages",
  path: "/v1/messages",
  key: { "x-api-key": "secret" },
  body: (turns) => ({
    model: "m",
    stream: true,
    system: "be brief",
    tools: [{ name: "Read" }, { name: "Bash" }],
    messages: turns.map(({ role, text }) => ({
      role: "user",
      content:
        role === "user"
          ? [
              { type: "text", text: "<system-reminder>aside</system-reminder>" },
              { type: "text", text },
            ]
          : [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text }] }],
    })),
  }),
  delta: ({ delta }) => Object(delta).text ?? Object(delta).partial_json ?? "",
  lastType: "message_stop",
  callType: "tool_use",
};

const responses: Vendor = {
  name: "openai-responses",
  path: "/v1/responses",
  key: { authorization: "Bearer secret" },
  body: (turns) => ({
    model: "m",
    stream: true,
    instructions: "be brief",
    tools: [{ type: "function", name: "exec_command" }, { type: "web_search" }],
    input: turns.map(({ role, text }) =>
      role === "user"
        ? { type: "message", role, content: [{ type: "input_text", text }] }
        : { type: "function_call_output", call_id: "c", output: text },
    ),
  }),
  delta: ({ type, delta }) => (type === "response.output_text.delta" ? delta : ""),
  lastType: "response.completed",
  callType: "function_call",
};

for (const vendor of [anthropic, responses]) {
  const post = (api: ModelApi, turns: SentTurn[], signal?: AbortSignal) =>
    fetch(api.url + vendor.path, {
      method: "POST",
      headers: { "content-type": "application/json", ...vendor.key },
      body: JSON.stringify(vendor.body(turns)),
      ...(signal ? { signal } : {}),
    });

  const answer = async (api: ModelApi, ...turns: SentTurn[]) => {
    const events = eventsOf(await (await post(api, turns)).text());
    return { events, text: events.map((event) => vendor.delta(event)).join("") };
  };

  const user = (text: string): SentTurn => ({ role: "user", text });

  test(`${vendor.name}: an answer comes in pieces and is ended`, async () => {
    await using api = await ModelApi.start();
    const { events, text } = await answer(api, user("Say hello"));
    expect(text).toBe(GREETING);
    expect(events.filter((event) => vendor.delta(event) !== "")).toHaveLength(4);
    expect(events.at(-1)?.type).toBe(vendor.lastType);
  });

  test(`${vendor.name}: a request is kept with its turns, its key and its end`, async () => {
    await using api = await ModelApi.start();
    await answer(api, user("first"), { role: "tool", text: "tool says" }, user("second"));
    expect(api.exchangesAbout("second")).toMatchObject([
      {
        dialect: vendor.name,
        apiKey: "secret",
        ending: "answered",
        request: {
          system: expect.stringMatching(/^be brief/),
          turns: [
            { role: "user", text: "first" },
            { role: "tool", text: "tool says" },
            { role: "user", text: "second" },
          ],
        },
      },
    ]);
  });

  test(`${vendor.name}: a directive becomes a call of the shell tool on offer`, async () => {
    await using api = await ModelApi.start();
    const { events } = await answer(api, user("some words\nask: touch it"));
    const wire = JSON.stringify(events);
    expect(wire).toContain(`"type":"${vendor.callType}"`);
    expect(wire).toContain("touch it");
    expect(wire.includes("require_escalated")).toBe(vendor === responses);
  });

  test(`${vendor.name}: a tool's result is answered with its words`, async () => {
    await using api = await ModelApi.start();
    const { text } = await answer(api, user("run: x"), { role: "tool", text: "two\nlines" });
    expect(text).toBe("Done: two lines");
  });

  test(`${vendor.name}: the history names what the user said and nothing else`, async () => {
    await using api = await ModelApi.start();
    const { text } = await answer(api, user("remember alpha"), user("history:"));
    expect(text).toBe("remember alpha | history:");
  });

  test(`${vendor.name}: slow and big answers arrive whole`, async () => {
    await using api = await ModelApi.start();
    expect((await answer(api, user("slow: 3 1"))).text).toBe(slowText(3));
    expect((await answer(api, user("big: 5000"))).text).toBe(bigText(5000));
    expect((await answer(api, user("say: a {key} in pieces"))).text).toBe("a secret in pieces");
  });

  test(`${vendor.name}: a failure has the status that was asked for`, async () => {
    await using api = await ModelApi.start();
    const response = await post(api, [user("fail: 429 too many, {key}")]);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ error: { message: "too many, secret" } });
  });

  for (const script of ["slow: 1000 50", "hang:"]) {
    test(`${vendor.name}: a client that goes away during "${script}" is noticed`, async () => {
      await using api = await ModelApi.start();
      const client = new AbortController();
      await post(api, [user(script)], client.signal);
      expect(api.exchanges).toMatchObject([{ ending: "open" }]);
      client.abort();
      await expect.poll(() => api.exchanges[0]?.ending).toBe("hung_up");
    });
  }
}

test("a request that the stand-in cannot read fails the run, not only the request", async () => {
  const api = await ModelApi.start();
  const request = fetch(`${api.url}/v1/messages`, { method: "POST", body: '{"stream":false}' });
  await expect(request).rejects.toThrow();
  await expect(api[Symbol.asyncDispose]()).rejects.toThrow(AggregateError);
});

function eventsOf(stream: string): JsonObject[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}
