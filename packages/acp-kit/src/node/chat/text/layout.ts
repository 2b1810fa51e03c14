import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** How many columns a line takes; styles take none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Lines that are not wider than that; words longer than a line are broken, and indentation stays. An infinite width only splits. */
export function wrap(text: string, columns: number): string[] {
  if (!Number.isFinite(columns)) return text.split("\n");
  const width = Math.max(columns, 1);
  return text.split("\n").flatMap((line) => {
    if (widthOf(line) <= width) return [line]; // most lines, and wrapping is what costs
    const [spaces = ""] = /^ */.exec(line) ?? [];
    const lead = spaces.length * 2 <= width ? spaces : "";
    const lines = wrapAnsi(line.slice(spaces.length), width - lead.length, { hard: true }).split("\n");
    return lines.map((each) => lead + each);
  });
}

/** Wraps with something before the first line and something as wide before the others. */
export function indent(
  text: string,
  columns: number,
  first: string,
  rest: string = " ".repeat(widthOf(first)),
): string[] {
  const lines = wrap(text, columns - widthOf(first));
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd());
}

/** One line that is not wider than that; what is cut off is told by an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 1) return columns === 1 ? "…" : "";
  const [first = ""] = wrapAnsi(text, columns - 1, { hard: true, trim: false, wordWrap: false }).split("\n");
  return `${first}…`;
}

/** The last lines, with a line before them that tells how many are missing. */
export function lastLines(lines: readonly string[], max: number, told: (missing: number) => string): string[] {
  if (lines.length <= max) return [...lines];
  return [told(lines.length - max), ...lines.slice(lines.length - max)];
}

/** The first lines, with a line after them that tells how many are missing. */
export function firstLines(lines: readonly string[], max: number, told: (missing: number) => string): string[] {
  if (lines.length <= max) return [...lines];
  return [...lines.slice(0, max), told(lines.length - max)];
}
