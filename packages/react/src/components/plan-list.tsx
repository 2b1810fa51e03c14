import type { PlanTranscriptEntry } from "@acp-kit/client";
import type { ReactElement } from "react";
import { classNames } from "./class-names.js";
import { ownValue } from "./own-value.js";
import { plainLine } from "./plain-text.js";

/** Props of {@link PlanList}. */
export interface PlanListProps {
  readonly entries: PlanTranscriptEntry["entries"];
  readonly className?: string;
}

const MAX_ENTRIES = 200;

/** Shows a plan: each step with its state. */
export function PlanList({ entries, className }: PlanListProps): ReactElement {
  return (
    <ol className={classNames("acp-plan", className)} aria-label="Plan">
      {entries.slice(0, MAX_ENTRIES).map(({ content, status, priority }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place
        <li key={index} data-status={plainLine(status, 30)} data-priority={plainLine(priority, 30)}>
          <span className="acp-plan-status">{ownValue(states, status) ?? plainLine(status, 30)}</span>{" "}
          <bdi>{plainLine(content)}</bdi>
        </li>
      ))}
    </ol>
  );
}

const states = { pending: "to do", in_progress: "now", completed: "done", cancelled: "dropped" } as const;
