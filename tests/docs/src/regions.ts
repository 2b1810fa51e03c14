import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";

const MARKER = /^[^\S\n]*\/\/ #(?:end)?region\b.*\n?/gm;

/**
 * Returns the text of `path` or `path#region`, without the markers of regions and without the indentation that all
 * lines share.
 */
export function textOf(file: string): string {
  const [path = "", name] = file.split("#");
  const source = readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
  const text = outdented(name === undefined ? withoutHeader(source) : regionOf(source, name, path));
  return text.replace(MARKER, "").replace(/\n+$/, "\n");
}

/** Returns the regions of a source, by name. */
export function regionsOf(source: string): string[] {
  return [...source.matchAll(/^[^\S\n]*\/\/ #region (\S+)$/gm)].map(([, name = ""]) => name);
}

function regionOf(source: string, name: string, path: string): string {
  const start = new RegExp(`^[^\\S\\n]*// #region ${name}\\n`, "m").exec(source);
  const end = new RegExp(`^[^\\S\\n]*// #endregion ${name}$`, "m").exec(source);
  if (start === null || end === null) throw new Error(`${path} has no region "${name}"`);
  return source.slice(start.index + start[0].length, end.index);
}

/** Removes the first comment of a file that is shown completely: the comment describes the file. */
function withoutHeader(source: string): string {
  return source.replace(/^(?:\/\/(?! #region).*\n)+\n?/, "");
}

function outdented(text: string): string {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join("\n");
}
