import type { PermissionPart, PermissionView } from "@acp-kit/client";
import type { Canvas } from "../text/canvas.js";
import { cleanLine, cleanText } from "../text/clean.js";
import { wrap } from "../text/layout.js";
import { bounded, limits } from "../text/limits.js";
import { renderDiff } from "../text/render-diff.js";
import { shortPath, shortTitle } from "../view/short-path.js";
import { allKey } from "./question.js";

/** The text of a permission question. */
export interface PermissionText {
  /** The title, in one line. */
  readonly title: string;
  /** The beginning of the details, with a note if there is more. */
  readonly lines: readonly string[];
  /** Returns the whole text; absent if `title` and `lines` are all of it. */
  readonly all?: () => readonly string[];
}

/** The UTF-16 units up to which all details are laid out for the question; those of more only on demand. */
const maxSize = 50_000;

/** Renders a permission question without the agent's escape sequences: `maxLines` lines, on demand all. */
export function permissionText(view: PermissionView, cwd: string, canvas: Canvas, maxLines: number): PermissionText {
  const { parts } = view;
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  const inner = { ...canvas, columns: canvas.columns - 2 };
  const rendered = (some: readonly PermissionPart[]): string[] =>
    some.flatMap((part) => renderPart(part, cwd, inner)).map((line) => `  ${line}`.trimEnd());
  const all = (): string[] => [...wrap(cleanText(view.title), canvas.columns), ...rendered(parts)];
  const title = shortTitle(cleanLine(view.title), cwd);
  const isLaidOut = size <= maxSize;
  const lines = rendered(isLaidOut ? parts : parts.slice(0, maxLines).map(beginning));
  const hidden = lines.length - maxLines;
  if (isLaidOut && hidden <= 0) return view.title.length > limits.line ? { title, lines, all } : { title, lines };
  const missing = isLaidOut ? `${hidden} more ${hidden === 1 ? "line" : "lines"}` : `${size} characters altogether`;
  const note = canvas.paint.yellow(`  … ${missing}; ${allKey} shows everything`);
  return { title, lines: [...lines.slice(0, maxLines), note], all };
}

function sizeOf(part: PermissionPart): number {
  if (part.type === "diff") return (part.oldText ?? "").length + part.newText.length;
  return part.type === "place" ? part.path.length : part.text.length;
}

function beginning(part: PermissionPart): PermissionPart {
  const cut = (text: string): string => bounded(text, limits.text).text;
  if (part.type === "place") return part;
  if (part.type !== "diff") return { ...part, text: cut(part.text) };
  return { ...part, oldText: part.oldText === null ? null : cut(part.oldText), newText: cut(part.newText) };
}

function renderPart(part: PermissionPart, cwd: string, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  const indented = (text: string, first: string): string[] =>
    wrap(cleanText(text), columns - first.length).map(
      (line, index) => (index === 0 ? first : " ".repeat(first.length)) + line,
    );
  switch (part.type) {
    case "command":
      return indented(part.text, "$ ").map(paint.bold);
    case "diff": {
      const { path, oldText, newText } = part;
      const head = shortPath(cleanLine(path), cwd) + (oldText === null ? " (new)" : "");
      return [head, ...changes(oldText ?? "", newText, canvas)];
    }
    case "place":
      return [paint.dim(shortPath(cleanLine(part.path), cwd) + (part.line === undefined ? "" : `:${part.line}`))];
    case "content":
      return indented(part.text, "");
    case "input":
      return indented(part.text, "input: ").map(paint.dim);
  }
}

/** Renders the changes or, if the texts are too long to be compared, all lines before and after. */
function changes(oldText: string, newText: string, canvas: Canvas): string[] {
  if (Math.max(oldText.length, newText.length) <= limits.diff) return renderDiff(oldText, newText, canvas);
  const { paint } = canvas;
  const marked = (text: string, mark: string): string[] =>
    text === ""
      ? []
      : cleanText(text)
          .split("\n")
          .map((line) => `${mark} ${line}`);
  return [...marked(oldText, "-").map(paint.red), ...marked(newText, "+").map(paint.green)];
}
