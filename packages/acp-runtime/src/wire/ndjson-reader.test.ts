import { expect, test } from "vitest";
import { randomJson, seededRandom } from "../testing/random-json.ts";
import { NdjsonReader } from "./ndjson-reader.ts";

interface Seen {
  lines: string[];
  truncated: string[];
  tooLong: number[];
}

function read(chunks: readonly Uint8Array[], maxLineBytes = 1_000_000): Seen {
  const seen: Seen = { lines: [], truncated: [], tooLong: [] };
  const reader = new NdjsonReader(
    {
      onLine: (line) => seen.lines.push(line),
      onTruncated: (text) => seen.truncated.push(text),
      onLineTooLong: (bytes) => seen.tooLong.push(bytes),
    },
    maxLineBytes,
  );
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

test("a message split at any byte gives the same lines", () => {
  const bytes = Buffer.from('{"a":"é€😀"}\r\n\n  \n{"b":"\u2028"}\n');
  const whole = read([bytes]);
  expect(whole.lines).toEqual(['{"a":"é€😀"}', '{"b":"\u2028"}']);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  }
  expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test("any lines in any chunks come out as they went in", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const random = seededRandom(seed);
    const lines = Array.from({ length: 10 }, () => JSON.stringify(randomJson(random)));
    const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = Math.floor(random() * 40);
      chunks.push(bytes.subarray(at, at + size));
      at += size;
    }
    expect(read(chunks), `seed ${seed}`).toEqual({ lines, truncated: [], tooLong: [] });
  }
});

test("a chunk may be reused by its owner after it was pushed", () => {
  const chunk = Buffer.from('{"half":');
  const lines: string[] = [];
  const reader = new NdjsonReader(
    { onLine: (line) => lines.push(line), onTruncated: () => {}, onLineTooLong: () => {} },
    100,
  );
  reader.push(chunk);
  chunk.fill(0);
  reader.push(Buffer.from("1}\n"));
  expect(lines).toEqual(['{"half":1}']);
});

test("a line of exactly the limit passes, one byte more ends the reading", () => {
  const exact = Buffer.from(`${"x".repeat(10)}\nnext\n`);
  expect(read([exact], 10).lines).toEqual(["x".repeat(10), "next"]);
  const over = Buffer.from(`ok\n${"x".repeat(11)}\nnext\n`);
  expect(read([over], 10)).toEqual({ lines: ["ok"], truncated: [], tooLong: [11] });
});

test("a line over the limit is refused before its end has come", () => {
  const endless = Array.from({ length: 5 }, () => Buffer.alloc(4, "x"));
  expect(read(endless, 10)).toEqual({ lines: [], truncated: [], tooLong: [12] });
});

test("what was not completed is reported as truncated and is no line", () => {
  expect(read([Buffer.from('{"a":1}\n{"b":1}')])).toEqual({
    lines: ['{"a":1}'],
    truncated: ['{"b":1}'],
    tooLong: [],
  });
});

test("a byte order mark and invalid bytes do not cost the line", () => {
  expect(read([Buffer.from('\uFEFF{"a":1}\n')]).lines).toEqual(['{"a":1}']);
  expect(read([Buffer.from([0x22, 0xff, 0x22, 0x0a])]).lines).toEqual(['"\uFFFD"']);
});

test("a handler may stop the reading between two lines of one chunk", () => {
  const lines: string[] = [];
  const reader = new NdjsonReader(
    {
      onLine: (line) => {
        lines.push(line);
        reader.stop();
      },
      onTruncated: (text) => lines.push(text),
      onLineTooLong: () => {},
    },
    100,
  );
  reader.push(Buffer.from("one\ntwo\nthree"));
  reader.end();
  expect(lines).toEqual(["one"]);
});
