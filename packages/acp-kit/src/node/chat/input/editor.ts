/** The text of the input line and the position of the cursor. Immutable. */
export interface Edited {
  readonly text: string;
  /** The position of the cursor in the text, in UTF-16 units. It is never inside of a character. */
  readonly cursor: number;
}

export const nothingWritten: Edited = { text: "", cursor: 0 };

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function written(text: string, cursor: number = text.length): Edited {
  return { text, cursor };
}

export function insert({ text, cursor }: Edited, more: string): Edited {
  return written(text.slice(0, cursor) + more + text.slice(cursor), cursor + more.length);
}

/** Replaces the text from `start` to `end` with `by`, and puts the cursor after the new text. */
export function replace({ text }: Edited, start: number, end: number, by: string): Edited {
  return written(text.slice(0, start) + by + text.slice(end), start + by.length);
}

/** Applies an editing key. The names of keys are those of Node's readline. Returns `undefined` for any other key. */
export function edit(edited: Edited, { name = "", ctrl = false, meta = false }: EditKey): Edited | undefined {
  const { text, cursor } = edited;
  const to = (position: number): Edited => written(text, position);
  const cut = (start: number, end: number): Edited => replace(edited, start, end, "");
  switch (`${ctrl ? "ctrl-" : ""}${meta ? "meta-" : ""}${name}`) {
    case "left":
    case "ctrl-b":
      return to(before(text, cursor));
    case "right":
    case "ctrl-f":
      return to(after(text, cursor));
    case "home":
    case "ctrl-a":
      return to(lineStart(text, cursor));
    case "end":
    case "ctrl-e":
      return to(lineEnd(text, cursor));
    case "ctrl-left":
    case "meta-left":
    case "meta-b":
      return to(wordStart(text, cursor));
    case "ctrl-right":
    case "meta-right":
    case "meta-f":
      return to(wordEnd(text, cursor));
    case "backspace":
    case "ctrl-h":
      return cut(before(text, cursor), cursor);
    case "delete":
    case "ctrl-d":
      return cut(cursor, after(text, cursor));
    case "ctrl-w":
    case "meta-backspace":
    case "ctrl-backspace":
      return cut(wordStart(text, cursor), cursor);
    case "meta-d":
      return cut(cursor, wordEnd(text, cursor));
    case "ctrl-u":
      return cut(lineStart(text, cursor), cursor);
    case "ctrl-k":
      return cut(cursor, text[cursor] === "\n" ? cursor + 1 : lineEnd(text, cursor));
    default:
      return undefined;
  }
}

/** The members of a key that {@link edit} reads. */
export interface EditKey {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** Moves the cursor one line up or down, to the same column if possible; `undefined` if there is no such line. */
export function moveLine({ text, cursor }: Edited, by: -1 | 1): Edited | undefined {
  const start = lineStart(text, cursor);
  if (by < 0 && start === 0) return undefined;
  const end = lineEnd(text, cursor);
  if (by > 0 && end === text.length) return undefined;
  const target = by < 0 ? lineStart(text, start - 1) : end + 1;
  return written(text, atColumn(text, target, cursor - start));
}

/** Returns the position at most `column` UTF-16 units after `start`, at the beginning of a character. */
function atColumn(text: string, start: number, column: number): number {
  const line = text.slice(start, lineEnd(text, start));
  if (column >= line.length) return start + line.length;
  let position = 0;
  for (const { index } of characters.segment(line)) if (index <= column) position = index;
  return start + position;
}

function before(text: string, cursor: number): number {
  let start = 0;
  for (const { index } of characters.segment(text.slice(0, cursor))) start = index;
  return start;
}

function after(text: string, cursor: number): number {
  for (const { segment } of characters.segment(text.slice(cursor))) return cursor + segment.length;
  return cursor;
}

function lineStart(text: string, cursor: number): number {
  if (cursor === 0) return 0; // `lastIndexOf` counts a negative position as 0
  return text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

function wordStart(text: string, cursor: number): number {
  const end = text.slice(0, cursor).trimEnd().length;
  let start = end;
  while (start > 0 && /\S/.test(text[start - 1] ?? "")) start -= 1;
  return start;
}

function wordEnd(text: string, cursor: number): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}
