import { structuredPatch } from "diff";
import type { Canvas } from "./canvas.js";
import { cleanText } from "./clean.js";
import { truncate, wrap } from "./layout.js";

/** How long two files may be compared: what differs in almost every line is shown as removed and added. */
const timeoutMs = 200;

/** How a file changed, as lines with their numbers: what goes in red, what comes in green, three lines around. */
export function renderDiff(oldText: string | null | undefined, newText: string, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  const [before, after] = [cleanText(oldText ?? ""), cleanText(newText)];
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 3, timeout: timeoutMs });
  if (patch === undefined) return [paint.dim(`${countOf(before)} lines become ${countOf(after)}`)];
  const last = patch.hunks.at(-1);
  const digits = String(
    last === undefined ? 1 : Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines),
  ).length;
  return patch.hunks.flatMap((hunk, index) => {
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
}

/** A very long line is not worth the screen. */
function wrapped(text: string, columns: number): string[] {
  const lines = wrap(text, Math.max(columns, 8));
  return lines.length <= 4 ? lines : [...lines.slice(0, 3), truncate(`${lines[3]}…`, Math.max(columns, 8))];
}

function countOf(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
