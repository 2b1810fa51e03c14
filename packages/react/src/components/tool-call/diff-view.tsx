import { structuredPatch } from "diff";
import { memo, type NamedExoticComponent, type ReactElement, useMemo } from "react";
import { OpenableFile } from "../file-links.js";
import { plainLine } from "../plain-text.js";
import { type ComputedDiff, DiffFigure, type DiffLine } from "./diff-figure.js";

/** Props of {@link DiffView}. */
export interface DiffViewProps {
  readonly path: string;
  /** The text before the change; `null` or absent for a new file. */
  readonly oldText?: string | null | undefined;
  readonly newText: string;
  readonly className?: string;
}

/** The maximum number of characters of both texts, because the time grows faster than linearly. */
const MAX_COMPARED = 1_000_000;
/** The maximum number of added and removed lines. With more, the view shows the whole new text. */
const MAX_EDITS = 1_000;
/** The maximum time of a comparison, in milliseconds, because a comparison blocks the page. */
const MAX_COMPARE_MS = 200;
const CONTEXT = 3;

/** Shows the changes of a file, with line numbers. For texts that are too large to compare, it shows the new text. */
export const DiffView: NamedExoticComponent<DiffViewProps> = memo(function DiffView({
  path,
  oldText,
  newText,
  className,
}: DiffViewProps): ReactElement {
  const diff = useMemo(() => diffLines(oldText ?? "", newText), [oldText, newText]);
  const name = plainLine(path);
  return (
    <DiffFigure
      diff={diff}
      label={`Changes of ${name}`}
      empty={diff.removed > 0 ? "All lines are removed" : oldText == null ? "A new, empty file" : "No change"}
      {...(className !== undefined && { className })}
    >
      <OpenableFile link={{ path }}>
        <bdi className="acp-path">{name}</bdi>
      </OpenableFile>
    </DiffFigure>
  );
});

/** @internal */
export function diffLines(oldText: string, newText: string): ComputedDiff {
  const patch =
    oldText.length + newText.length <= MAX_COMPARED
      ? structuredPatch("", "", oldText, newText, "", "", {
          context: CONTEXT,
          maxEditLength: MAX_EDITS,
          timeout: MAX_COMPARE_MS,
        })
      : undefined;
  if (patch === undefined) return wholeText(oldText, newText);
  const lines: DiffLine[] = [];
  let added = 0;
  let removed = 0;
  for (const [index, hunk] of patch.hunks.entries()) {
    if (index > 0) lines.push({ kind: "gap", text: "" });
    let { oldStart, newStart } = hunk;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("+")) {
        lines.push({ kind: "added", new: newStart++, text });
        added++;
      } else if (line.startsWith("-")) {
        lines.push({ kind: "removed", old: oldStart++, text });
        removed++;
      } else if (line.startsWith(" ")) lines.push({ kind: "same", old: oldStart++, new: newStart++, text });
    }
  }
  return { lines, added, removed };
}

function wholeText(oldText: string, newText: string): ComputedDiff {
  const added = linesOf(newText);
  const lines = added.slice(0, 100_000).map((text, index) => ({ kind: "added" as const, new: index + 1, text }));
  return { lines, added: added.length, removed: linesOf(oldText).length };
}

/** Returns the lines of a text. A line feed at the end begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
