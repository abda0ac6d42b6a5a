import { expect, test } from "vitest";
import { settleTerminalText, terminalLines } from "./ansi.ts";

const ESC = "\u001b";

test("a progress line shows its last state only", () => {
  expect(settleTerminalText("10%\r50%\r100%\r\ndone")).toBe("100%\ndone");
});

test("a colour that was set before a carriage return stays set", () => {
  const [line] = terminalLines(`${ESC}[32m10%\r100%${ESC}[0m`);
  expect(line?.spans).toMatchObject([{ text: "100%", colour: "var(--success)" }]);
});

test("titles, links, cursor moves and unfinished sequences leave no trace", () => {
  const link = `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`;
  expect(settleTerminalText(`${ESC}]0;title\u0007${ESC}[2K${ESC}[1A${link}${ESC}[`)).toBe("click");
});

test("colours go on over line ends and end with a reset", () => {
  const lines = terminalLines(`${ESC}[31mred\nstill${ESC}[0m plain`);
  expect(lines).toHaveLength(2);
  expect(lines[1]?.spans).toMatchObject([
    { text: "still", colour: "var(--danger)" },
    { text: " plain", colour: null },
  ]);
});

test("markup in output is text", () => {
  expect(terminalLines("<img src=x onerror=alert(1)>&amp;")[0]?.spans).toMatchObject([
    { text: "<img src=x onerror=alert(1)>&amp;" },
  ]);
});

test("palette colours and true colours are kept", () => {
  const [line] = terminalLines(`${ESC}[38;5;208mo${ESC}[38;2;1;2;3mt`);
  expect(line?.spans.map((span) => span.colour)).toEqual(["rgb(255, 135, 0)", "rgb(1, 2, 3)"]);
});
