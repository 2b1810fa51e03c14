import { unquoteGitPath } from "@acp-kit/protocol/internal";

/** One hunk of a patch: the same lines before and after the change. */
export interface Hunk {
  readonly oldText: string;
  readonly newText: string;
}

/** The part of a patch about one file. A path is `undefined` on the side on which the file does not exist. */
export interface PatchSection {
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly hunks: readonly Hunk[];
}

/**
 * Reads the sections of a patch in Git's format. Lines outside hunks that are not about paths are skipped, so a patch
 * that can't be read gives sections without hunks.
 *
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#diffs
 */
export function readGitPatch(text: string): PatchSection[] {
  const sections: PatchSection[] = [];
  let section: { oldPath?: string | undefined; newPath?: string | undefined; hunks: Hunk[] } | undefined;
  const lines = text.split("\n");
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] as string;
    index += 1;
    if (line.startsWith("diff --git ")) {
      section = { hunks: [] };
      sections.push(section as PatchSection);
      continue;
    }
    if (section === undefined) continue;
    if (line.startsWith("--- ")) section.oldPath = pathOf(line.slice(4));
    else if (line.startsWith("+++ ")) section.newPath = pathOf(line.slice(4));
    else if (line.startsWith("rename from ")) section.oldPath = unquoteGitPath(line.slice(12));
    else if (line.startsWith("rename to ")) section.newPath = unquoteGitPath(line.slice(10));
    else if (line.startsWith("@@ ")) {
      const { hunk, next } = readHunk(line, lines, index);
      section.hunks.push(hunk);
      index = next;
    }
  }
  return sections;
}

/** Git ends a path that contains a space with a tab. */
function pathOf(text: string): string | undefined {
  const path = unquoteGitPath(text.replace(/\t$/, ""));
  return path === "/dev/null" ? undefined : path;
}

function readHunk(header: string, lines: readonly string[], start: number): { hunk: Hunk; next: number } {
  const [, oldCount = "1", newCount = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header) ?? [];
  let oldLeft = Number(oldCount);
  let newLeft = Number(newCount);
  let oldText = "";
  let newText = "";
  let index = start;
  for (; index < lines.length && (oldLeft > 0 || newLeft > 0); index += 1) {
    const line = lines[index] as string;
    const mark = line[0] ?? " "; // tools that strip trailing spaces leave an empty line
    if (mark !== " " && mark !== "-" && mark !== "+") break;
    const isLast = lines[index + 1]?.startsWith("\\") ?? false;
    const content = isLast ? line.slice(1) : `${line.slice(1)}\n`;
    if (mark !== "+") {
      oldText += content;
      oldLeft -= 1;
    }
    if (mark !== "-") {
      newText += content;
      newLeft -= 1;
    }
    if (isLast) index += 1;
  }
  return { hunk: { oldText, newText }, next: index };
}
