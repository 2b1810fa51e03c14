import { widthOf } from "../text/layout.js";
import type { Edited } from "./editor.js";

/** A text that is being written, as lines, and the place of the cursor in them. */
export interface InputView {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** How it is drawn. */
export interface InputOptions {
  readonly columns: number;
  /** Before the first line, and before the others. */
  readonly mark: string;
  readonly rest: string;
  /** Don't show what is written. */
  readonly secret?: boolean;
  /** The most that is shown: the lines around the cursor. */
  readonly maxLines?: number;
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Breaks lines between characters, so that the cursor is always in a place that can be told. */
export function renderInput({ text, cursor }: Edited, options: InputOptions): InputView {
  const { columns, mark, rest, secret = false, maxLines = Number.POSITIVE_INFINITY } = options;
  const lines = [mark];
  let [row, column, width] = [0, widthOf(mark), widthOf(mark)];
  const newLine = (): void => {
    lines.push(rest);
    width = widthOf(rest);
  };
  for (const { segment, index } of characters.segment(text)) {
    const shown = secret && segment !== "\n" ? "•" : segment;
    const wide = shown === "\n" ? 0 : widthOf(shown);
    if (width + wide >= columns && shown !== "\n") newLine();
    if (index === cursor) [row, column] = [lines.length - 1, width];
    if (shown === "\n") newLine();
    else {
      lines[lines.length - 1] += shown;
      width += wide;
    }
  }
  if (cursor >= text.length) [row, column] = [lines.length - 1, width];
  const from = Math.min(Math.max(0, row - maxLines + 1), Math.max(0, lines.length - maxLines));
  return { lines: lines.slice(from, from + maxLines), row: row - from, column };
}
