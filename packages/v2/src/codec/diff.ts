import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownDiffChange } from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { type PatchSection, readGitPatch } from "./read-git-patch.js";
import { writeGitPatch } from "./write-git-patch.js";

/** Texts that are longer together get no patch. `changes` names the file in any case. */
const MAX_PATCHED_LENGTH = 4_000_000;

/**
 * Converts a diff of version 1, which has the old and the new text of a file. `_meta` of the patch says that it was
 * made from them: agents of version 1 often send only a part of a file, and then its line numbers are those of the
 * part.
 *
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#diffs
 */
export function diffToV2({ path, oldText, newText, ...rest }: v1.DiffToolCallContent): v2.DiffToolCallContent {
  const isNew = oldText === undefined || oldText === null;
  const isLong = newText.length + (oldText?.length ?? 0) > MAX_PATCHED_LENGTH;
  const text = isLong ? undefined : writeGitPatch(path, oldText ?? undefined, newText);
  return {
    ...rest,
    changes: [{ operation: isNew ? "add" : "modify", path }],
    ...(text !== undefined && { patch: { format: "git_patch", text, _meta: { "acp-kit/generated": true } } }),
  };
}

/**
 * Converts a diff of version 2 to one diff for each hunk of its patch. `changes` is authoritative, so hunks about other
 * files are ignored. A change without old and new text (a move, a copy, a binary file, no patch) becomes a text that
 * names it.
 */
export function diffToV1(diff: v2.IncomingDiff & { type: "diff" }, lost: Lost): v1.ToolCallContent[] {
  const { patch, _meta } = diff;
  const sections = patch?.format === "git_patch" ? readGitPatch(patch.text) : [];
  const meta = _meta === undefined ? {} : { _meta };
  const sectionOf = sectionsByPath(sections);
  return diff.changes.flatMap((change): v1.ToolCallContent[] => {
    const section = sectionOf(change);
    const hunks = section?.hunks ?? [];
    const path = "path" in change ? String(change.path) : "";
    const diffs = hunks.map(
      ({ oldText, newText }): v1.ToolCallContent => ({
        type: "diff",
        path,
        ...(section?.oldPath !== undefined && { oldText }),
        newText,
        ...meta,
      }),
    );
    const isWhole = diffs.length > 0 && ["add", "modify", "delete"].includes(change.operation);
    if (isWhole) return diffs;
    lost("diff");
    return [{ type: "content", content: { type: "text", text: describe(change) }, ...meta }, ...diffs];
  });
}

/** Returns the paths of the files that the diffs of a tool call's content change, copy or move. */
export function changedPaths(content: readonly v2.IncomingToolCallContent[]): string[] {
  return content
    .flatMap((item) => (item.type === "diff" ? (item as v2.IncomingDiff).changes : []))
    .flatMap((change) => ("oldPath" in change ? [change.oldPath, change.path] : [change.path]))
    .filter((path) => typeof path === "string");
}

/** Returns a function that finds the first section about a change. */
function sectionsByPath(
  sections: readonly PatchSection[],
): (change: v2.IncomingDiffChange) => PatchSection | undefined {
  const byOldPath = new Map<unknown, PatchSection>();
  const byNewPath = new Map<unknown, PatchSection>();
  for (const section of sections) {
    if (!byOldPath.has(section.oldPath)) byOldPath.set(section.oldPath, section);
    if (!byNewPath.has(section.newPath)) byNewPath.set(section.newPath, section);
  }
  return (change) => {
    if (!isKnownDiffChange(change)) return undefined;
    return (change.operation === "delete" ? byOldPath : byNewPath).get(change.path);
  };
}

const verbs: Readonly<Record<v2.KnownDiffChange["operation"], string>> = {
  add: "Added",
  delete: "Deleted",
  modify: "Modified",
  move: "Moved",
  copy: "Copied",
};

function describe(change: v2.IncomingDiffChange): string {
  if (!isKnownDiffChange(change)) return `Changed files (${String(change.operation)})`;
  const verb = verbs[change.operation];
  return "oldPath" in change ? `${verb} ${change.oldPath} to ${change.path}` : `${verb} ${change.path}`;
}
