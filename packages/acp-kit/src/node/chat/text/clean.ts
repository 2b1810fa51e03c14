import { bounded, limits, moreCharacters } from "./limits.js";
import { stripEscapes } from "./strip-escapes.js";
import { endWithout } from "./trim.js";

/** A terminal that the agent's words are written to would obey them: titles, clipboards, cursor moves, whole key sequences can be in there. */
const controls = /[^\P{Cc}\n\t]/gu;
/** What turns the direction of text around, and so shows something else than what is there. */
const invisible = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** An escape sequence that sets colours, and nothing else. */
const colours: RegExp = new RegExp(`${"\u001b"}\\[[0-9;]*m`, "g");
/** A sequence that sets colours, or one character. */
const pieces: RegExp = new RegExp(`${"\u001b"}\\[[0-9;]*m|[\\s\\S]`, "gu");

/** Text of an agent's that may be written to a terminal: lines and nothing but characters. */
export function cleanText(text: string): string {
  return stripEscapes(text.replace(/\r\n?|[\u2028\u2029]/g, "\n"))
    .replace(controls, "")
    .replace(invisible, "")
    .replaceAll("\t", "    ");
}

/** The same in one line, for titles and names: their first characters, and how many more there are. */
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
 * The output of a command, as a terminal of its own would show it: a carriage return writes over its line, a backspace over the character
 * before. Colours stay if they are wanted; every other escape sequence goes.
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

/** A backspace takes the character before it back, and no colour. One pass: what was written is kept as a stack. */
function withoutTakenBack(line: string): string {
  const shown: string[] = [];
  /** Where the characters are that can be taken back. */
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

/** An escape that is left begins one of the colours that were kept. */
function withoutControls(line: string): string {
  const kept = [...line.matchAll(colours)];
  if (kept.length === 0) return line.replace(controls, "");
  const parts = line.split(colours).map((part) => part.replace(controls, ""));
  return parts.map((part, index) => part + (kept[index]?.[0] ?? "")).join("");
}
