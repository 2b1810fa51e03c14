import { widthOf } from "../text/layout.js";
import type { Edited } from "./editor.js";

/** The input as lines, and the position of the cursor in them. */
export interface InputView {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** Options of {@link renderInput}. */
export interface InputOptions {
  readonly columns: number;
  /** `mark` is the prefix of the first line, `rest` that of the other lines. */
  readonly mark: string;
  readonly rest: string;
  /** Whether to hide the text. */
  readonly secret?: boolean;
  /** The maximum number of lines. If there are more, only lines around the cursor are shown. */
  readonly maxLines?: number;
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Renders the input. Lines break between characters, not words, so that the cursor's position is certain. */
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
