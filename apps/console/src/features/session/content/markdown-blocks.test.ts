import { expect, test } from "vitest";
import { markdownBlocks } from "./markdown-blocks.ts";
import { safeLink } from "./safe-link.ts";

test("only the last block changes while a message grows", () => {
  const before = markdownBlocks("# Title\n\nFirst para", true);
  const after = markdownBlocks("# Title\n\nFirst paragraph\n\n- item", true);
  expect(before[0]).toBe(after[0]);
  expect(after).toHaveLength(3);
});

test("an open emphasis is closed while streaming and left alone after", () => {
  expect(markdownBlocks("this is **bold", true)).toEqual(["this is **bold**"]);
  expect(markdownBlocks("this is **bold", false)).toEqual(["this is **bold"]);
});

test("a text with link definitions stays whole", () => {
  expect(markdownBlocks("[a][1]\n\nb\n\n[1]: https://a.example", false)).toHaveLength(1);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "src/main.ts",
  "",
])("%s is no link", (href) => {
  expect(safeLink(href)).toBeNull();
});

test("a web link tells its host", () => {
  expect(safeLink("https://user@example.org:8443/x")).toMatchObject({ host: "example.org:8443" });
});
