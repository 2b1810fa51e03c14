import { OpenStyles } from "./open-styles.js";
import { stripEscapes } from "./strip-escapes.js";
import { type Unit, unitsOf, widthOf } from "./units.js";

export { widthOf } from "./units.js";

/** Wraps a text to a width. Breaks long words, and keeps the indentation. An infinite width only splits lines. */
export function wrap(text: string, columns: number): string[] {
  if (!Number.isFinite(columns)) return text.split("\n");
  const width = Math.max(columns, 1);
  return text.split("\n").flatMap((line) => {
    if (line.length <= width && widthOf(line) <= width) return [line]; // most lines need no wrapping
    // The indentation may follow the styles of the line
    const start = stripEscapes(line).startsWith(" ") ? line.indexOf(" ") : 0;
    const [spaces = ""] = /^ */.exec(line.slice(start)) ?? [];
    const lead = spaces.length * 2 <= width ? spaces : "";
    const rest = line.slice(0, start) + line.slice(start + spaces.length);
    return wrapLine(rest, width - lead.length).map((each) => lead + each);
  });
}

/** Breaks a line between words, and a word that is wider than a row between characters. Reads the line only once. */
function wrapLine(line: string, width: number): string[] {
  const rows = new Rows(width);
  let word: Unit[] = [];
  for (const unit of unitsOf(line)) {
    if (unit.text === " ") {
      rows.addWord(word);
      rows.addSpace();
      word = [];
    } else word.push(unit);
  }
  rows.addWord(word);
  return rows.end();
}

/** Fills rows one after the other. An active style ends at the end of a row, and begins again in the next. */
class Rows {
  readonly #width: number;
  readonly #rows: string[] = [];
  readonly #styles = new OpenStyles();
  #row: string[] = [];
  #used = 0;
  /** Spaces before the next word; dropped at a break. */
  #spaces = 0;

  constructor(width: number) {
    this.#width = width;
  }

  addSpace(): void {
    this.#spaces += 1;
  }

  addWord(word: readonly Unit[]): void {
    const width = word.reduce((sum, unit) => sum + unit.width, 0);
    if (width > 0 && this.#used > 0) this.#place(width);
    for (const unit of word) this.#add(unit);
  }

  end(): string[] {
    this.#break();
    return this.#rows;
  }

  /**
   * Appends the spaces before a word of this width or, if the word does not fit, starts a new row. A word that is wider
   * than a row starts in the current row if that saves a row.
   */
  #place(width: number): void {
    const room = this.#width - this.#used - this.#spaces;
    const rowsHere = 1 + Math.floor((width - room - 1) / this.#width);
    const rowsBelow = Math.floor((width - 1) / this.#width);
    if (width <= room || (room > 0 && width > this.#width && rowsHere <= rowsBelow)) {
      this.#row.push(" ".repeat(this.#spaces));
      this.#used += this.#spaces;
    } else this.#break();
    this.#spaces = 0;
  }

  #add(unit: Unit): void {
    if (unit.isStyle) this.#styles.see(unit.text);
    else if (this.#used > 0 && this.#used + unit.width > this.#width) this.#break();
    this.#row.push(unit.text);
    this.#used += unit.width;
    if (unit.width > 0) this.#spaces = 0;
  }

  #break(): void {
    this.#rows.push(this.#row.join("") + this.#styles.ends);
    this.#row = [this.#styles.begins];
    this.#used = 0;
  }
}

/** Wraps a text. The first line has a prefix; the other lines have a prefix of the same width. */
export function indent(
  text: string,
  columns: number,
  first: string,
  rest: string = " ".repeat(widthOf(first)),
): string[] {
  const lines = wrap(text, columns - widthOf(first));
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd());
}

/** Cuts a line to a width, with an ellipsis for the rest. The rest of the line is not processed. */
export function truncate(text: string, columns: number): string {
  if (columns < 1) return "";
  if (text.length <= columns && widthOf(text) <= columns) return text;
  const styles = new OpenStyles();
  let [shown, width] = ["", 0];
  /** The text in the last column. If further visible characters follow, the ellipsis replaces this text. */
  let last = "";
  for (const unit of unitsOf(text)) {
    if (width + unit.width > columns) return `${shown}${styles.ends}…`;
    width += unit.width;
    if (last !== "" || (width === columns && unit.width > 0)) last += unit.text;
    else {
      shown += unit.text;
      if (unit.isStyle) styles.see(unit.text);
    }
  }
  return shown + last;
}

/** Returns the first lines. If lines are omitted, also returns a line with their number. */
export function firstLines(lines: readonly string[], max: number, told: (missing: number) => string): string[] {
  if (lines.length <= max) return [...lines];
  return [...lines.slice(0, max), told(lines.length - max)];
}
