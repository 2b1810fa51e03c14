import { suffixOf } from "@acp-kit/protocol/internal";
import Anser from "anser";
import { memo, type NamedExoticComponent, type ReactElement } from "react";
import { classNames } from "../class-names.js";
import { plainText } from "../plain-text.js";

/** Props of {@link TerminalOutput}. */
export interface TerminalOutputProps {
  /** The output, with escape sequences. Colours and styles are kept, all other sequences are removed. */
  readonly output: string;
  /** The name of the output for assistive technology; by default "Output". */
  readonly label?: string;
  readonly className?: string;
}

/** A piece of output with one style. A colour is a CSS class (`acp-ansi-red`, …) or a CSS colour. */
interface Piece {
  readonly text: string;
  readonly className: string;
  readonly color?: string;
  readonly background?: string;
}

/** The maximum number of characters that are shown, from the end of the output. */
const MAX_OUTPUT = 100_000;
/** The maximum number of pieces with different styles. The rest of the output has the style of the last piece. */
const MAX_PIECES = 5_000;

// Matches control strings of a terminal, such as "operating system commands", up to their end.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it removes
const strings = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g;
// Matches sequences that move the cursor, erase text, or switch modes. These are all sequences except styles, which end
// in "m".
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it removes
const movements = /\u001b\[[0-?]*[ -/]*[@-ln-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it removes
const others = /\u001b(?!\[)[ -/]*[0-~]?/g;

/** Shows the output of a command as a terminal does: colours, styles, and lines that a carriage return replaces. */
export const TerminalOutput: NamedExoticComponent<TerminalOutputProps> = memo(function TerminalOutput({
  output,
  label = "Output",
  className,
}: TerminalOutputProps): ReactElement {
  const { pieces, missing } = piecesOf(output);
  return (
    <pre className={classNames("acp-terminal", className)} role="group" aria-label={label} tabIndex={0}>
      {missing > 0 && <span className="acp-note">{`… ${missing} earlier characters\n`}</span>}
      {pieces.map((piece, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
          key={index}
          className={piece.className || undefined}
          style={
            piece.color === undefined && piece.background === undefined
              ? undefined
              : { color: piece.color, backgroundColor: piece.background }
          }
        >
          {piece.text}
        </span>
      ))}
    </pre>
  );
});

/** @internal */
export function piecesOf(output: string): { readonly pieces: readonly Piece[]; readonly missing: number } {
  const tail = suffixOf(output, MAX_OUTPUT);
  const text = tail.replace(strings, "").replace(movements, "").replace(others, "").replace(/\r\n/g, "\n");
  const shown = text.includes("\r") ? text.split("\n").map(overwritten).join("\n") : text;
  const pieces: Piece[] = [];
  for (const part of Anser.ansiToJson(shown, { json: true, remove_empty: true, use_classes: true })) {
    const content = plainText(part.content);
    const last = pieces.at(-1);
    const piece = { text: content, ...styleOf(part) };
    if (last !== undefined && (pieces.length >= MAX_PIECES || isSameStyle(last, piece))) {
      pieces[pieces.length - 1] = { ...last, text: last.text + content };
    } else pieces.push(piece);
  }
  return { pieces, missing: output.length - tail.length };
}

/** Applies carriage returns: the text after the last one replaces the text before it. */
function overwritten(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end -= 1; // not a regular expression, which would need quadratic time
  const at = line.slice(0, end).lastIndexOf("\r");
  return at < 0 ? line.replace(/\r/g, "") : line.slice(at + 1).replace(/\r/g, "");
}

function styleOf({ fg, bg, fg_truecolor, bg_truecolor, decorations }: Anser.AnserJsonEntry): Omit<Piece, "text"> {
  const classes = [
    ...(decorations ?? []).map((name) => `acp-ansi-${name}`),
    named(fg, "acp-"),
    named(bg, "acp-bg-"),
  ].filter((name): name is string => name !== undefined);
  const color = rgb(fg_truecolor) ?? palette(fg);
  const background = rgb(bg_truecolor) ?? palette(bg);
  return {
    className: classes.join(" "),
    ...(color !== undefined && { color }),
    ...(background !== undefined && { background }),
  };
}

function named(colour: string | null, prefix: string): string | undefined {
  return colour !== null && /^ansi-(?:bright-)?[a-z]+$/.test(colour) && colour !== "ansi-truecolor"
    ? `${prefix}${colour}`
    : undefined;
}

function rgb(colour: string | null): string | undefined {
  return colour !== null && /^\d{1,3}, ?\d{1,3}, ?\d{1,3}$/.test(colour) ? `rgb(${colour})` : undefined;
}

/** Returns the CSS colour of 16 to 255: a cube with six steps for red, green and blue, then greys. */
function palette(colour: string | null): string | undefined {
  const [, digits] = /^ansi-palette-(\d{1,3})$/.exec(colour ?? "") ?? [];
  if (digits === undefined) return undefined;
  const index = Number(digits);
  if (index >= 232) return `rgb(${[0, 0, 0].map(() => (index - 232) * 10 + 8).join(", ")})`;
  const step = (value: number): number => (value === 0 ? 0 : value * 40 + 55);
  const cube = index - 16;
  return `rgb(${step(Math.floor(cube / 36))}, ${step(Math.floor(cube / 6) % 6)}, ${step(cube % 6)})`;
}

function isSameStyle(a: Piece, b: Piece): boolean {
  return a.className === b.className && a.color === b.color && a.background === b.background;
}
