import { quoteGitPath } from "@acp-kit/protocol/internal";

/** The number of unchanged lines before and after a change. Git has the same default. */
const CONTEXT = 3;

/**
 * Writes the patch of one file. It has one hunk, from the first to the last line that differ: it is valid for any two
 * texts, and takes time linear in their lengths. Returns `undefined` if the texts are equal.
 *
 * @param oldText the text before the change, or `undefined` for a new file.
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#diffs
 */
export function writeGitPatch(path: string, oldText: string | undefined, newText: string): string | undefined {
  if (oldText === newText) return undefined;
  const name = quoteGitPath(path);
  const header = [`diff --git ${name} ${name}`, ...(oldText === undefined ? ["new file mode 100644"] : [])];
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  if (before.length + after.length === 0) return `${header.join("\n")}\n`; // Git writes no hunk for a new empty file
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix += 1;
  const start = Math.max(0, prefix - CONTEXT);
  const trailing = Math.min(CONTEXT, suffix);
  const oldEnd = before.length - suffix;
  const newEnd = after.length - suffix;
  const lines = [
    ...header,
    `--- ${oldText === undefined ? "/dev/null" : name}`,
    `+++ ${name}`,
    `@@ -${range(start, oldEnd + trailing)} +${range(start, newEnd + trailing)} @@`,
    ...before.slice(start, prefix).map((line) => hunkLine(" ", line)),
    ...before.slice(prefix, oldEnd).map((line) => hunkLine("-", line)),
    ...after.slice(prefix, newEnd).map((line) => hunkLine("+", line)),
    ...after.slice(newEnd, newEnd + trailing).map((line) => hunkLine(" ", line)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Splits a text into lines with their line breaks. Only the last line may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunkLine(mark: string, line: string): string {
  return line.endsWith("\n") ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`;
}

/** The lines from the index `start` to `end`, as Git counts them: from 1, and from 0 if there are none. */
function range(start: number, end: number): string {
  const count = end - start;
  return `${count === 0 ? start : start + 1},${count}`;
}
