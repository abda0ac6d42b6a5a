import { scriptedAgent, testRuntime } from "@signalbox/acp-runtime/testing";
import { expect, test } from "vitest";
import { ExactText, exact, withExactEvents } from "./exact-json.ts";

const ODD =
  '{"sessionUpdate":"odd","10":1.0,"2":12345678901234567890,"text":"a \\"quote\\" \\\\ \\u2028 é😀"}';

async function oddEvents() {
  const agent = scriptedAgent(async (turn) => {
    await turn.updateText(ODD);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  return ctx.events();
}

test("an event stands in an answer as it was sent, and what is around it as ever", async () => {
  const events = await oddEvents();
  const body = withExactEvents(
    JSON.stringify({ before: "é", events: events.map(exact), after: 1 }),
  );
  expect(body).toContain('"10":1.0,"2":12345678901234567890,');
  expect(JSON.parse(body)).toEqual({ before: "é", events, after: 1 });
});

test("it does so in whatever pieces the answer is written", async () => {
  const events = await oddEvents();
  const json = JSON.stringify({ events: events.map(exact) });
  const whole = withExactEvents(json);
  for (const size of [1, 2, 3, 7, 50, 1_000]) {
    const pieces = new ExactText();
    let written = "";
    for (let at = 0; at < json.length; at += size)
      written += pieces.push(json.slice(at, at + size));
    expect(written + pieces.end()).toBe(whole);
  }
});

test("text that only looks like a stand-in is left alone", async () => {
  const [event] = await oddEvents();
  const standIn = JSON.stringify(exact(event ?? {})).slice(1, 12);
  const body = JSON.stringify({ said: `"${standIn}`, x: `\\"${standIn}:{}` });
  expect(withExactEvents(body)).toBe(body);
});
