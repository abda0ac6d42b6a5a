import { expect, test } from "vitest";
import { byteText } from "./byte-text.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [9_960, "10 kB"],
  [999_400, "999 kB"],
  [999_600, "1.0 MB"],
  [123_456_789, "123 MB"],
  [1_440_000_000, "1.4 GB"],
  [5e15, "5000 TB"],
])("%s bytes are told as %s", (bytes, text) => {
  expect(byteText(bytes)).toBe(text);
});
