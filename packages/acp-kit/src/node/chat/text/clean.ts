import { stripVTControlCharacters } from "node:util";

/** A terminal that the agent's words are written to would obey them: titles, clipboards, cursor moves, whole key sequences can be in there. */
const controls = /[^\P{Cc}\n\t]/gu;
/** What turns the direction of text around, and so shows something else than what is there. */
const invisible = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** An escape sequence that sets colours, and nothing else. */
const colours: RegExp = new RegExp(`${"\u001b"}\\[[0-9;]*m`, "g");
/** A backspace, and what it takes back. */
const takenBack: RegExp = new RegExp(`[^${"\b"}]${"\b"}`, "g");

/** Text of an agent's that may be written to a terminal: lines and nothing but characters. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?|[\u2028\u2029]/g, "\n"))
    .replace(controls, "")
    .replace(invisible, "")
    .replaceAll("\t", "    ");
}

/** The same in one line, for titles and names. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/**
 * The output of a command, as a terminal of its own would show it: a carriage return writes over its line, a backspace over the character
 * before. Colours stay if they are wanted; every other escape sequence goes.
 */
export function cleanOutput(output: string, keepColours: boolean): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: sequence, index } of output.matchAll(colours)) {
    pieces.push(stripVTControlCharacters(output.slice(from, index)));
    if (keepColours) pieces.push(sequence);
    from = index + sequence.length;
  }
  pieces.push(stripVTControlCharacters(output.slice(from)));
  const text = pieces
    .join("")
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .replaceAll("\t", "    ");
  return text.split("\n").map(overwritten).map(withoutControls).join("\n");
}

function overwritten(line: string): string {
  const text = line.replace(/\r+$/, "");
  const last = text.slice(text.lastIndexOf("\r") + 1);
  let shown = last;
  for (let before = ""; before !== shown; ) [before, shown] = [shown, shown.replace(takenBack, "")];
  return shown;
}

/** An escape that is left begins one of the colours that were kept. */
function withoutControls(line: string): string {
  const kept = [...line.matchAll(colours)];
  if (kept.length === 0) return line.replace(controls, "");
  const parts = line.split(colours).map((part) => part.replace(controls, ""));
  return parts.map((part, index) => part + (kept[index]?.[0] ?? "")).join("");
}
