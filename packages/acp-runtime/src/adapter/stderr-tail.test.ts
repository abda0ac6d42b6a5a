import { expect, test } from "vitest";
import { ByteTail } from "./stderr-tail.ts";

test("what fits is kept whole", () => {
  const tail = new ByteTail(10);
  tail.push(Buffer.from("0123456789"));
  expect(tail.read()).toEqual({ text: "0123456789", truncated: false });
});

test("the last bytes are kept, and characters are never cut", () => {
  const bytes = Buffer.from("aé€😀z€é");
  for (let max = 0; max < bytes.length; max += 1) {
    const tail = new ByteTail(max);
    for (const byte of bytes) tail.push(Buffer.of(byte));
    const { text, truncated } = tail.read();
    expect(truncated).toBe(true);
    expect("aé€😀z€é".endsWith(text)).toBe(true);
    expect(Buffer.byteLength(text)).toBeGreaterThanOrEqual(Math.max(0, max - 3));
  }
});

test("a character that has not fully arrived is left out", () => {
  const tail = new ByteTail(10);
  tail.push(Buffer.from("a€").subarray(0, 3));
  expect(tail.read().text).toBe("a");
});

test("a flood in small pieces keeps its end", () => {
  const tail = new ByteTail(1024);
  for (let index = 0; index < 100_000; index += 1) tail.push(Buffer.from(`${index},`));
  const { text } = tail.read();
  expect(text).toHaveLength(1024);
  expect(text.endsWith("99998,99999,")).toBe(true);
});
