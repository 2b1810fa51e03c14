import type { Output } from "../../output.js";
import { truncate, widthOf } from "../text/layout.js";
import { unitsOf } from "../text/units.js";

/** The changing lines at the bottom, and the position of the cursor in them. */
export interface LiveArea {
  readonly lines: readonly string[];
  /** The position of the cursor. If it is absent, the cursor is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number };
  /**
   * Whether the terminal's own cursor is hidden at the top of the area, and the area shows a drawn cursor instead. The
   * next frame then erases from the top and counts no rows. A count can be wrong: a terminal that becomes narrower
   * wraps its lines before it reports its new size. Don't set this while the user types, because input methods show
   * their candidates at the terminal's own cursor.
   */
  readonly isParked?: boolean;
}

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const [pasteOn, pasteOff] = ["\u001b[?2004h", "\u001b[?2004l"];
/** Sequences around a frame (synchronized output), which terminals that know them draw in one step. */
const [frameBegin, frameEnd] = ["\u001b[?2026h", "\u001b[?2026l"];
/** Turn wrapping off and on. Without it, a line is one row, even if the terminal is narrower than reported. */
const [wrapOff, wrapOn] = ["\u001b[?7l", "\u001b[?7h"];
const [inverse, notInverse] = ["\u001b[7m", "\u001b[27m"];
/**
 * Erases from the current line to the end of the screen, but writes a space first. If an erase begins in the top left
 * corner, tmux moves the contents of the screen into its history. The history would then contain a copy of the live
 * area for each frame.
 */
const clearBelow = " \u001b[0J\r\u001b[K";

/**
 * Output in a scrolling terminal. Permanent lines are written once, so that the user can scroll and copy them. Below
 * them is a small live area that is redrawn. The live area is never taller than the terminal.
 */
export class Screen {
  readonly #output: Output;
  #live: LiveArea = { lines: [] };
  #isOpen = false;

  constructor(output: Output) {
    this.#output = output;
  }

  get columns(): number {
    return Math.max(this.#output.columns, 20);
  }

  get rows(): number {
    return Math.max(this.#output.rows, 6);
  }

  /** Turns on bracketed paste. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#output.write(pasteOn);
  }

  /** Writes lines that stay, and draws the live area below them. */
  draw(settled: readonly string[], live: LiveArea): void {
    const next = this.#fitting(live);
    if (settled.length === 0 && isSame(next, this.#live)) return;
    const written = settled.map((line) => `${line}\r\n`).join("");
    this.#output.write(`${frameBegin}${hideCursor}${this.#erase()}${written}${this.#place(next)}${frameEnd}`);
    this.#live = next;
  }

  /** Removes the live area and restores the terminal's modes. You can call {@link open} again. */
  close(): void {
    if (!this.#isOpen) return;
    this.#output.write(`${this.#erase()}${showCursor}${pasteOff}`);
    this.#live = { lines: [] };
    this.#isOpen = false;
  }

  /**
   * Clears the visible screen, but not the scrollback. The cursor moves to the last row, so that the live area is at
   * the bottom: when a window becomes narrower, tmux moves lines from the top of the screen into its history, where no
   * program can erase them.
   */
  clear(): void {
    this.#output.write(`\u001b[2J\u001b[${this.rows};1H`);
    this.#live = { lines: [] };
  }

  /**
   * Returns the sequences that go to the first line of the live area and erase from there. Counts rows, not lines: if
   * the terminal has become narrower, a line can occupy several rows.
   */
  #erase(): string {
    const { lines, cursor, isParked } = this.#live;
    if (lines.length === 0) return "\r";
    if (isParked) return `\r${clearBelow}`;
    const row = cursor?.row ?? lines.length - 1;
    const above = lines.slice(0, row).reduce((sum, line) => sum + this.#rowsOf(widthOf(line)), 0);
    const up = above + this.#rowsOf(cursor?.column ?? widthOf(lines[row] ?? "")) - 1;
    return `\r${upBy(up)}${clearBelow}`;
  }

  #rowsOf(width: number): number {
    return Math.max(1, Math.ceil(width / this.columns));
  }

  /** Fits the live area into the terminal: cuts each line to one row, and keeps only the last lines. */
  #fitting({ lines, cursor, isParked = false }: LiveArea): LiveArea {
    const missing = Math.max(0, lines.length - (this.rows - 1));
    const shown = lines.slice(missing).map((line) => truncate(line, this.columns - 1));
    if (cursor === undefined || cursor.row < missing) return { lines: shown, isParked };
    const column = Math.min(cursor.column, this.columns - 1);
    return { lines: shown, cursor: { row: cursor.row - missing, column }, isParked };
  }

  #place({ lines, cursor, isParked }: LiveArea): string {
    if (lines.length === 0) return showCursor;
    const isPainted = isParked && this.#output.colours.enabled;
    const shown = isPainted
      ? lines.map((line, row) => (row === cursor?.row ? marked(line, cursor.column) : line))
      : lines;
    const text = `${wrapOff}${shown.join("\r\n")}${wrapOn}`;
    if (isParked) return `${text}\r${upBy(lines.length - 1)}`;
    if (cursor === undefined) return text;
    const right = cursor.column > 0 ? `\u001b[${cursor.column}C` : "";
    return `${text}\r${upBy(lines.length - 1 - cursor.row)}${right}${showCursor}`;
  }
}

function upBy(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

/** Returns a line with the character at a column inverted, like the cursor of a terminal. */
function marked(line: string, column: number): string {
  let [used, isMarked] = [0, false];
  const pieces = [...unitsOf(line)].map(({ text, width }) => {
    const isHere = !isMarked && width > 0 && used + width > column;
    used += width;
    isMarked ||= isHere;
    return isHere ? `${inverse}${text}${notInverse}` : text;
  });
  return isMarked ? pieces.join("") : `${pieces.join("")}${inverse} ${notInverse}`;
}

function isSame(a: LiveArea, b: LiveArea): boolean {
  return (
    a.lines.length === b.lines.length &&
    (a.isParked ?? false) === (b.isParked ?? false) &&
    a.cursor?.row === b.cursor?.row &&
    a.cursor?.column === b.cursor?.column &&
    a.lines.every((line, index) => line === b.lines[index])
  );
}
