import { quoteGitPath, unquoteGitPath } from "@acp-kit/protocol/internal";
import { mapPath, type PathPair } from "./path-pair.js";

/** The length of the longest header that is read. Paths are shorter. */
const MAX_HEADER = 10_000;

/**
 * Maps the paths in the headers of a patch of version 2, which are absolute. They must stay equal to the paths of the
 * diff's changes: a client finds the part of a file by its path. The lines of the files are not changed.
 *
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#diffs
 */
export function mapGitPatch(patch: string, pairs: readonly PathPair[]): string {
  const map = (path: string): string => quoteGitPath(mapPath(unquoteGitPath(path), pairs));
  /** The lines of the current hunk that are left, of the old and of the new file. */
  let oldLines = 0;
  let newLines = 0;
  const lines = patch.split("\n").map((line) => {
    if (oldLines > 0 || newLines > 0) {
      if (!line.startsWith("+") && !line.startsWith("\\")) oldLines -= 1;
      if (!line.startsWith("-") && !line.startsWith("\\")) newLines -= 1;
      return line;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      [oldLines, newLines] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      return line;
    }
    const [prefix = ""] = /^(?:--- |\+\+\+ |(?:rename|copy) (?:from|to) |diff --git )/.exec(line) ?? [];
    const named = line.slice(prefix.length).trimEnd();
    const end = line.slice(prefix.length + named.length);
    if (prefix === "" || line.length > MAX_HEADER) return line;
    const paths = prefix === "diff --git " ? pathsOf(named) : [named];
    return `${prefix}${paths?.map(map).join(" ") ?? named}${end}`;
  });
  return lines.join("\n");
}

/** Returns the two paths of the first line of a section; `undefined` if it is unclear where the first one ends. */
function pathsOf(text: string): readonly [string, string] | undefined {
  const splits: [string, string][] = [];
  for (let space = text.indexOf(" "); space !== -1; space = text.indexOf(" ", space + 1)) {
    const [left, right] = [text.slice(0, space), text.slice(space + 1)];
    if (left === right) return [left, right];
    if (splits.length < 2 && /^(?:"|\/|[A-Za-z]:)/.test(right)) splits.push([left, right]);
  }
  return splits.length === 1 ? splits[0] : undefined;
}
