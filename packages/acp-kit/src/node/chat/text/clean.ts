import { bounded, limits, moreCharacters } from "./limits.js";
import { stripEscapes } from "./strip-escapes.js";
import { endWithout } from "./trim.js";

/** Control characters, with which an agent's text could set the clipboard, move the cursor, or send keys. */
const controls = /[^\P{Cc}\n\t]/gu;
/** Invisible characters that change the direction of text. They can make a text look like another text. */
const invisible = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** An escape sequence that only sets colours. */
const colours: RegExp = new RegExp(`${"\u001b"}\\[[0-9;]*m`, "g");
/** Matches a sequence that sets colours, or one character. */
const pieces: RegExp = new RegExp(`${"\u001b"}\\[[0-9;]*m|[\\s\\S]`, "gu");

/** The first half of a character at the end of a text whose next chunk has the second half. */
const half = /[\ud800-\udbff]$/;

/** Cleans an agent's text for a terminal: only lines and printable characters remain. */
export function cleanText(text: string): string {
  return stripEscapes(text.replace(half, "").replace(/\r\n?|[\u2028\u2029]/g, "\n"))
    .replace(controls, "")
    .replace(invisible, "")
    .replaceAll("\t", "    ");
}

/**
 * Removes escape sequences and control characters from a text for a pipe or a file, which can be shown on a terminal
 * later. Tabs and line ends stay as they are.
 */
export function withoutEscapes(text: string): string {
  return stripEscapes(text).replace(/[^\P{Cc}\n\r\t]/gu, "");
}

/** Cleans a title or a name, in one line. Of a long text, returns the beginning and the number of the rest. */
export function cleanLine(text: string, max: number = limits.line): string {
  const { text: head, missing } = bounded(text, max);
  const lines = cleanText(head).split("\n");
  const line = lines
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join(" ");
  return missing > 0 ? `${line} ${moreCharacters(missing)}` : line;
}

/**
 * Renders the output of a command as a terminal would: a carriage return overwrites its line, and a backspace removes
 * the previous character. Colours stay if wanted; all other escape sequences are removed.
 */
export function cleanOutput(output: string, keepColours: boolean): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: sequence, index } of output.matchAll(colours)) {
    kept.push(stripEscapes(output.slice(from, index)));
    if (keepColours) kept.push(sequence);
    from = index + sequence.length;
  }
  kept.push(stripEscapes(output.slice(from)));
  const text = kept
    .join("")
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .replaceAll("\t", "    ");
  return text.split("\n").map(overwritten).map(withoutControls).join("\n");
}

function overwritten(line: string): string {
  const text = line.slice(0, endWithout(line, "\r"));
  const last = text.slice(text.lastIndexOf("\r") + 1);
  return last.includes("\b") ? withoutTakenBack(last) : last;
}

/** Applies backspaces: each removes the character before it, but no colour. Reads the line only once. */
function withoutTakenBack(line: string): string {
  const shown: string[] = [];
  /** The positions of removable characters. */
  const characters: number[] = [];
  for (const [piece] of line.matchAll(pieces)) {
    if (piece === "\b") {
      const at = characters.pop();
      if (at !== undefined) shown[at] = "";
    } else {
      if (piece.length <= 2 && piece[0] !== "\u001b") characters.push(shown.length);
      shown.push(piece);
    }
  }
  return shown.join("");
}

/** Removes control characters, except in the sequences that set colours. */
function withoutControls(line: string): string {
  const kept = [...line.matchAll(colours)];
  if (kept.length === 0) return line.replace(controls, "");
  const parts = line.split(colours).map((part) => part.replace(controls, ""));
  return parts.map((part, index) => part + (kept[index]?.[0] ?? "")).join("");
}
