import { prefixOf } from "@acp-kit/protocol/internal";
import { type ReactElement, type ReactNode, useState } from "react";
import { classNames } from "../class-names.js";
import { plainText } from "../plain-text.js";

/** A line of a diff. A `gap` stands for lines that are left out, or names the file of the next lines. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly old?: number;
  readonly new?: number;
  readonly text: string;
}

export interface ComputedDiff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Props of {@link DiffFigure}. */
export interface DiffFigureProps {
  readonly diff: ComputedDiff;
  readonly label: string;
  /** The text that is shown if the diff has no lines. */
  readonly empty: string;
  /** What has changed, such as the path of the file. */
  readonly children: ReactNode;
  readonly className?: string;
}

const MAX_LINES = 400;
const MAX_WIDTH = 2_000;

/** Shows the lines of a diff, with line numbers. */
export function DiffFigure({ diff, label, empty, children, className }: DiffFigureProps): ReactElement {
  const { lines, added, removed } = diff;
  const [limit, setLimit] = useState(MAX_LINES);
  return (
    <figure className={classNames("acp-diff", className)}>
      <figcaption>
        {children} <span className="acp-added">{`+${added}`}</span> <span className="acp-removed">{`−${removed}`}</span>
      </figcaption>
      {lines.length === 0 ? (
        <p className="acp-note">{empty}</p>
      ) : (
        <div className="acp-diff-lines" role="group" aria-label={label} tabIndex={0}>
          <table>
            <tbody>
              {lines.slice(0, limit).map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
                <tr key={index} className={`acp-line-${line.kind}`}>
                  <td className="acp-number">{line.old ?? ""}</td>
                  <td className="acp-number">{line.new ?? ""}</td>
                  <td className="acp-sign">{signs[line.kind]}</td>
                  <td className="acp-line">{plainText(prefixOf(line.text, MAX_WIDTH))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {lines.length > limit && (
        <button type="button" onClick={() => setLimit(limit * 10)}>
          {`Show ${Math.min(limit * 9, lines.length - limit)} more lines`}
        </button>
      )}
    </figure>
  );
}

const signs = { same: " ", added: "+", removed: "−", gap: "⋯" } as const;
