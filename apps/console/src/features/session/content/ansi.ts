/** Turns what a program wrote to a terminal into text with colours, as a still picture. */
import Anser from "anser";

export interface AnsiSpan {
  text: string;
  /** A CSS colour, readable on the page in both themes. */
  colour: string | null;
  background: string | null;
  isBold: boolean;
  isDim: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
}

export interface TerminalLine {
  spans: AnsiSpan[];
}

const ESC = "\u001b";
const MAX_LINE_CHARS = 4_000;

/** Operating system commands (titles, links), device strings; the last may still be open. */
const OSC = new RegExp(`${ESC}\\][^\u0007${ESC}]*(?:\u0007|${ESC}\\\\|$)`, "g");
const STRINGS = new RegExp(`${ESC}[PX^_][^${ESC}]*(?:${ESC}\\\\|$)`, "g");
/** Every control sequence but colours: cursor moves, erasing, modes. */
const NOT_COLOUR = new RegExp(`${ESC}\\[[0-9;:?<=>!]*[ -/]*[@-ln-~]`, "g");
const SHORT = new RegExp(`${ESC}(?:[()*+][A-Za-z0-9]|[=>78cDEHMNOZ])`, "g");
const COLOUR = new RegExp(`${ESC}\\[[0-9;:]*m`, "g");
const UNFINISHED = new RegExp(`${ESC}(?:\\[[0-9;:?]*)?$`);

/** Text as it stands on the screen in the end: no hidden sequences, carriage returns carried out. */
export function settleTerminalText(raw: string): string {
  const text = raw
    .replace(OSC, "")
    .replace(STRINGS, "")
    .replace(NOT_COLOUR, "")
    .replace(SHORT, "")
    .replace(UNFINISHED, "");
  return text.split("\n").map(settleLine).join("\n");
}

/** A carriage return starts the line again; colours that were set before it stay set. */
function settleLine(line: string): string {
  const parts = line.replace(/\r+$/, "").split("\r");
  const last = parts.findLastIndex((part) => part.replace(COLOUR, "") !== "");
  if (last <= 0) return withoutBackspaces(parts.join(""));
  const colours = parts.slice(0, last).flatMap((part) => part.match(COLOUR) ?? []);
  return withoutBackspaces(colours.join("") + parts.slice(last).join(""));
}

function withoutBackspaces(line: string): string {
  let text = line;
  while (text.includes("\b")) {
    const next = text.replace(/[^\b][\b]|^[\b]+/g, "");
    if (next === text) return text.replaceAll("\b", "");
    text = next;
  }
  return text;
}

/** The lines of `raw`, each with its coloured spans. Colours go on over line ends. */
export function terminalLines(raw: string): TerminalLine[] {
  const settled = settleTerminalText(raw).replace(/\n+$/, "");
  const lines: TerminalLine[] = [{ spans: [] }];
  for (const bit of Anser.ansiToJson(settled, { use_classes: true, remove_empty: true })) {
    bit.content.split("\n").forEach((piece, index) => {
      if (index > 0) lines.push({ spans: [] });
      if (piece !== "") lines.at(-1)?.spans.push(spanOf(bit, piece));
    });
  }
  return lines;
}

function spanOf(bit: Anser.AnserJsonEntry, piece: string): AnsiSpan {
  const decorations: readonly string[] = bit.decorations;
  const isReversed = decorations.includes("reverse");
  const colour = colourOf(bit.fg, bit.fg_truecolor);
  const background = backgroundOf(bit.bg, bit.bg_truecolor);
  return {
    text: piece.length > MAX_LINE_CHARS ? `${piece.slice(0, MAX_LINE_CHARS)}…` : piece,
    colour: isReversed ? "var(--background)" : colour,
    background: isReversed ? (colour ?? "var(--text)") : background,
    isBold: decorations.includes("bold"),
    isDim: decorations.includes("dim"),
    isItalic: decorations.includes("italic"),
    isUnderlined: decorations.includes("underline"),
  };
}

const MAGENTA = "light-dark(oklch(0.5 0.17 325), oklch(0.78 0.12 325))";

const COLOURS: Readonly<Record<string, string>> = {
  black: "var(--muted)",
  red: "var(--danger)",
  green: "var(--success)",
  yellow: "var(--warning)",
  blue: "var(--accent)",
  magenta: MAGENTA,
  cyan: "var(--info)",
  white: "var(--text)",
};

const BACKGROUNDS: Readonly<Record<string, string>> = {
  black: "var(--inset)",
  red: "var(--danger-soft)",
  green: "var(--success-soft)",
  yellow: "var(--warning-soft)",
  blue: "var(--accent-soft)",
  magenta: "var(--accent-soft)",
  cyan: "var(--info-soft)",
  white: "var(--hover)",
};

/** The sixteen named colours take the page's own, so that they are readable in both themes. */
function colourOf(name: string | null, rgb: string | null): string | null {
  if (!name) return null;
  const plain = name.replace(/^ansi-(?:bright-)?/, "");
  return COLOURS[plain] ?? exact(plain, rgb);
}

function backgroundOf(name: string | null, rgb: string | null): string | null {
  if (!name) return null;
  const plain = name.replace(/^ansi-(?:bright-)?/, "");
  return BACKGROUNDS[plain] ?? exact(plain, rgb);
}

function exact(name: string, rgb: string | null): string | null {
  if (rgb) return `rgb(${rgb})`;
  const index = Number(/^palette-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  return Number.isInteger(index) ? paletteColour(index) : null;
}

/** The colour cube (16 to 231) and the greys (232 to 255) of the 256-colour palette. */
function paletteColour(index: number): string | null {
  if (index >= 232 && index <= 255) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  if (index < 16 || index > 231) return null;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const at = index - 16;
  const [red, green, blue] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level);
  return `rgb(${red}, ${green}, ${blue})`;
}
