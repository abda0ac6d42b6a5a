/** What an agent reports of itself stands in the session's row with the event that told it. */
import { isJsonObject, type JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { seededRandom } from "../testing/random-json.ts";
import type { TestRuntime } from "../testing/test-runtime.ts";

const option = (random: () => number): JsonObject => ({
  id: "model",
  name: "Model",
  type: "select",
  currentValue: `m${Math.floor(random() * 5)}`,
});

/** One update of each kind that is folded, with content of its own. */
const KINDS: ((random: () => number) => JsonObject)[] = [
  (random) => ({
    sessionUpdate: "session_info_update",
    title: random() < 0.2 ? null : `title ${random()}`,
    _meta: { at: random() },
  }),
  (random) => ({
    sessionUpdate: "usage_update",
    used: Math.floor(random() * 1e6),
    size: 200_000,
    cost: { amount: random(), currency: "USD" },
  }),
  (random) => ({ sessionUpdate: "config_option_update", configOptions: [option(random)] }),
  (random) => ({
    sessionUpdate: "current_mode_update",
    currentModeId: random() < 0.5 ? "ask" : "code",
  }),
  (random) => ({
    sessionUpdate: "available_commands_update",
    availableCommands: random() < 0.2 ? [] : [{ name: `c${random()}`, description: "d" }],
  }),
];

type Values = Record<string, unknown>;

function valuesOf(type: string, event: JsonObject): Values {
  const own = (names: string[]) => Object.fromEntries(names.map((name) => [name, event[name]]));
  if (type === "session_info_update") return { title: event.title, metadata: event._meta };
  if (type === "usage_update") return { usage: own(["used", "size", "cost"]) };
  if (type === "config_option_update") return { options: event.configOptions };
  if (type === "current_mode_update") return { mode: event.currentModeId };
  return { commands: event.availableCommands };
}

/** What the last event of each kind says. */
function lastOf(events: readonly JsonObject[]): Values {
  return Object.assign({}, ...events.map((event) => valuesOf(String(event.type), event)));
}

async function rowOf(ctx: TestRuntime): Promise<Values> {
  const { title, metadata, usage } = await ctx.runtime.getSession("main");
  const { options, modes, availableCommands } = await ctx.runtime.sessionConfig("main");
  const mode = modes?.currentModeId;
  return { title, metadata, usage, options, mode, commands: availableCommands };
}

const agentWithModes = (updates: readonly JsonObject[]) =>
  scriptedAgent(
    async (turn) => {
      for (const update of updates) await turn.update(update);
      return "end_turn";
    },
    { modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] } },
  );

test("after any updates the row says what the last event of each kind says, after a kill too", async () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const random = seededRandom(seed);
    const mixed = Array.from({ length: 60 }, () => {
      const kind = KINDS[Math.floor(random() * KINDS.length)];
      return kind ? kind(random) : {};
    });
    const updates = [...KINDS.map((kind) => kind(random)), ...mixed];
    await using ctx = await testRuntime({ agent: agentWithModes(updates) });
    await ctx.open();
    await ctx.prompt("go");
    const folded = (await ctx.events()).filter(({ type }) => type.endsWith("_update"));
    expect(folded).toHaveLength(updates.length);
    expect(await rowOf(ctx)).toEqual(lastOf(folded));
    await using after = await ctx.afterCrash();
    expect(await rowOf(after)).toEqual(lastOf(folded));
  }
});

test("whoever sees the event sees the row that it changed", async () => {
  const random = seededRandom(7);
  const updates = Array.from({ length: 40 }, () => KINDS[1]?.(random) ?? {});
  await using ctx = await testRuntime({ agent: agentWithModes(updates) });
  await ctx.open();
  const reads = ctx.deps.db;
  let seen = 0;
  const looking = (async () => {
    while (seen < updates.length) {
      const both = await reads.read((sqlite) => ({
        row: sqlite.prepare("SELECT usage FROM Session WHERE sessionId = 'main'").get(),
        event: sqlite
          .prepare("SELECT fields FROM Event WHERE type = 'usage_update' ORDER BY sequence DESC")
          .get(),
        count: sqlite.prepare("SELECT count(*) AS n FROM Event WHERE type = 'usage_update'").get(),
      }));
      const usage: unknown = Reflect.get(Object(both.row), "usage");
      const fields: unknown = Reflect.get(Object(both.event ?? { fields: null }), "fields");
      const amount = (text: unknown) => {
        const value: unknown = JSON.parse(typeof text === "string" ? text : "null");
        return isJsonObject(value) && isJsonObject(value.cost) ? value.cost.amount : null;
      };
      expect(amount(usage)).toBe(amount(fields));
      seen = Number(Reflect.get(Object(both.count), "n"));
      await new Promise(setImmediate);
    }
  })();
  await ctx.prompt("go");
  await looking;
  expect(seen).toBe(updates.length);
});

test("an update without the field that it is for changes nothing but history", async () => {
  const updates = [
    { sessionUpdate: "session_info_update", title: "kept" },
    { sessionUpdate: "session_info_update" },
    { sessionUpdate: "config_option_update", configOptions: "nonsense" },
    { sessionUpdate: "available_commands_update" },
    { sessionUpdate: "current_mode_update", currentModeId: 7 },
  ];
  await using ctx = await testRuntime({ agent: agentWithModes(updates) });
  await ctx.open();
  const { revision } = await ctx.runtime.sessionConfig("main");
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  expect((await ctx.types()).filter((type) => type.endsWith("_update"))).toHaveLength(5);
  expect(await rowOf(ctx)).toMatchObject({ title: "kept", options: [], mode: "ask", commands: [] });
  expect((await ctx.runtime.sessionConfig("main")).revision).toBe(revision);
});
