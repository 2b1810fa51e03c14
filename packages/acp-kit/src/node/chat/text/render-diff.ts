import { prefixOf } from "@acp-kit/protocol/internal";
import { structuredPatch } from "diff";
import type { Canvas } from "./canvas.js";
import { cleanText } from "./clean.js";
import { truncate, wrap } from "./layout.js";
import { bounded, limits, moreCharacters } from "./limits.js";

/** Time limit for comparing two texts, in milliseconds. After that time, only the numbers of lines are shown. */
const timeoutMs = 200;

/** Maximum number of rows for one line of a file. */
const maxRows = 4;

/** Renders a file's change as numbered lines: removed in red, added in green, with three lines of context. */
export function renderDiff(oldText: string | null | undefined, newText: string, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  const [oldPart, newPart] = [bounded(oldText ?? "", limits.diff), bounded(newText, limits.diff)];
  const missing = Math.max(oldPart.missing, newPart.missing);
  const more = missing > 0 ? [paint.dim(moreCharacters(missing))] : [];
  const [before, after] = [cleanText(oldPart.text), cleanText(newPart.text)];
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 3, timeout: timeoutMs });
  if (patch === undefined) return [paint.dim(`${countOf(before)} lines become ${countOf(after)}`), ...more];
  const last = patch.hunks.at(-1);
  const digits = String(
    last === undefined ? 1 : Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines),
  ).length;
  const shown = patch.hunks.flatMap((hunk, index) => {
    let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines.flatMap((line): string[] => {
      const [mark, text] = [line[0], line.slice(1)];
      if (mark === "\\") return [];
      const number = mark === "-" ? oldLine : newLine;
      if (mark !== "+") oldLine += 1;
      if (mark !== "-") newLine += 1;
      const head = String(number).padStart(digits);
      const style = mark === "-" ? paint.red : mark === "+" ? paint.green : paint.dim;
      return wrapped(text, columns - digits - 3).map((part, at) => {
        const gutter = at === 0 ? head : " ".repeat(digits);
        return `${paint.dim(gutter)} ${style(`${mark} ${part}`)}`.trimEnd();
      });
    });
    return index === 0 ? lines : [paint.dim("⋯"), ...lines];
  });
  return [...shown, ...more];
}

/** Wraps a line to at most {@link maxRows} rows; the rest of a very long line is not processed. */
function wrapped(text: string, columns: number): string[] {
  const width = Math.max(columns, 8);
  const head = prefixOf(text, (maxRows + 1) * width);
  const lines = wrap(head, width);
  return lines.length <= maxRows ? lines : [...lines.slice(0, maxRows - 1), truncate(`${lines[maxRows - 1]}…`, width)];
}

function countOf(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
