import type { IncomingToolCallContent } from "@acp-kit/types";
import type { IncomingDiffChange } from "@acp-kit/types/v2";
import { type ReactElement, useMemo } from "react";
import { OpenableFile } from "../file-links.js";
import { ownValue } from "../own-value.js";
import { plainLine } from "../plain-text.js";
import { type ComputedDiff, DiffFigure, type DiffLine } from "./diff-figure.js";

/** A diff of version 2: what happened to each file, and a patch in Git's format. */
interface OriginalDiff {
  readonly changes: readonly IncomingDiffChange[];
  readonly patch: string;
}

/**
 * Returns the diff of version 2 from which a content of a tool call was made. It has more kinds of changes than the
 * content, and the numbers of the lines. `null` if another content of the call shows it.
 */
export function originalDiffOf({ _meta }: IncomingToolCallContent): OriginalDiff | null | undefined {
  const diff = (Object(_meta) as { readonly "acp-kit/diff"?: unknown })["acp-kit/diff"];
  if (diff === null) return null;
  const { changes, patch } = Object(diff) as { readonly changes?: unknown; readonly patch?: unknown };
  if (!Array.isArray(changes)) return undefined;
  const { format, text } = Object(patch) as { readonly format?: unknown; readonly text?: unknown };
  return { changes, patch: format === "git_patch" && typeof text === "string" ? text : "" };
}

/** The maximum number of changes that the caption lists. */
const MAX_CHANGES = 100;
/** The maximum number of characters of a patch that are shown. */
const MAX_PATCH = 1_000_000;

/** Shows the changes of one or more files: also moved, copied and deleted files, with the lines of the patch. */
export function PatchView({ diff }: { readonly diff: OriginalDiff }): ReactElement {
  const { changes, patch } = diff;
  const computed = useMemo(() => patchLines(patch.slice(0, MAX_PATCH)), [patch]);
  return (
    <DiffFigure diff={computed} label="Changed files" empty="No changed lines are shown">
      {changes.slice(0, MAX_CHANGES).map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes have no identity but their place
        <Change key={index} change={change} />
      ))}
      {changes.length > MAX_CHANGES && `and ${changes.length - MAX_CHANGES} more files`}
    </DiffFigure>
  );
}

function Change({ change }: { readonly change: IncomingDiffChange }): ReactElement {
  const { operation, path, oldPath } = Object(change) as Readonly<Record<string, unknown>>;
  const verb = ownValue(verbs, String(operation)) ?? plainLine(String(operation), 30);
  return (
    <span className="acp-change">
      {verb !== "" && `${verb} `}
      {typeof oldPath === "string" && (
        <>
          <bdi className="acp-path">{plainLine(oldPath)}</bdi> {"→ "}
        </>
      )}
      {typeof path === "string" && (
        <OpenableFile link={{ path }}>
          <bdi className="acp-path">{plainLine(path)}</bdi>
        </OpenableFile>
      )}{" "}
    </span>
  );
}

const verbs: Readonly<Record<string, string>> = {
  add: "new",
  delete: "deleted",
  modify: "",
  move: "moved",
  copy: "copied",
};

/**
 * Reads the lines of a patch in Git's format. If it is about several files, a gap names the file of the next lines.
 *
 * @internal
 */
export function patchLines(patch: string): ComputedDiff {
  const lines: DiffLine[] = [];
  const all = patch.split("\n");
  const hasFiles = patch.indexOf("\ndiff --git ") >= 0;
  let [added, removed] = [0, 0];
  let [old, oldEnd, now, nowEnd] = [0, 0, 0, 0]; // the numbers of the next lines of the hunk, and after its last ones
  let isFirst = true;
  for (const line of all) {
    const isInHunk = old < oldEnd || now < nowEnd;
    const mark = line[0] ?? " "; // tools that strip trailing spaces leave an empty line
    const text = line.slice(1);
    if (isInHunk && mark === "+") {
      lines.push({ kind: "added", new: now++, text });
      added += 1;
    } else if (isInHunk && mark === "-") {
      lines.push({ kind: "removed", old: old++, text });
      removed += 1;
    } else if (isInHunk && mark === " ") lines.push({ kind: "same", old: old++, new: now++, text });
    else if (line.startsWith("diff --git ")) {
      if (hasFiles) lines.push({ kind: "gap", text: line.slice(11) });
      isFirst = true;
    } else if (line.startsWith("@@ ")) {
      const [, start = "0", count = "1", newStart = "0", newCount = "1"] = hunkHeader.exec(line) ?? [];
      if (!isFirst) lines.push({ kind: "gap", text: "" });
      isFirst = false;
      [old, now] = [Number(start), Number(newStart)];
      [oldEnd, nowEnd] = [old + Number(count), now + Number(newCount)];
    }
  }
  return { lines, added, removed };
}

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
