import type { TranscriptSnapshot } from "@acp-kit/client";
import { type ReactElement, type ToggleEvent, useState } from "react";
import { classNames } from "./class-names.js";
import { plainLine } from "./plain-text.js";
import { TranscriptEntryView } from "./transcript-entry-view.js";

/** Props of {@link ChildSessionView}. */
export interface ChildSessionViewProps {
  /** A child session of `transcript.snapshot.children`. */
  readonly child: NonNullable<TranscriptSnapshot["children"]>[string];
  /** Called when the user stops the work of the child session, if the agent allows that; see `cancelChild`. */
  readonly onStop?: () => void;
  readonly className?: string;
}

/** The number of entries that are shown: the last ones. */
const MAX_ENTRIES = 200;

/**
 * Shows a child session, such as a subagent: its title and state, and, when opened, its conversation. Agents send child
 * sessions to clients with the feature `subagents` of `@acp-kit/client/unstable`.
 *
 * @experimental
 */
export function ChildSessionView({ child, onStop, className }: ChildSessionViewProps): ReactElement {
  const { sessionId, title, description, state, transcript } = child;
  const [isOpen, setOpen] = useState(false);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void => setOpen(currentTarget.open);
  const name = plainLine(title) || plainLine(sessionId);
  return (
    <details className={classNames("acp-child-session", className)} open={isOpen} onToggle={onToggle}>
      <summary>
        <bdi>{name}</bdi> <span className="acp-child-state">{plainLine(state, 30)}</span>
      </summary>
      {isOpen && (
        <div role="group" aria-label={`Child session: ${name}`}>
          {onStop !== undefined && child.canCancel === true && transcript.activity === "running" && (
            <button type="button" onClick={onStop}>
              Stop
            </button>
          )}
          {description !== undefined && <p>{plainLine(description)}</p>}
          {transcript.entries.slice(-MAX_ENTRIES).map((entry) => (
            <TranscriptEntryView key={entry.key} entry={entry} terminals={transcript.terminals} />
          ))}
        </div>
      )}
    </details>
  );
}
