import type { ToolCallEntry, TranscriptEntry, TranscriptSnapshot } from "@acp-kit/client";
import { type ReactElement, useMemo } from "react";
import { classNames } from "./class-names.js";
import { ownValue } from "./own-value.js";
import { plainLine } from "./plain-text.js";
import { StopButton, type StopWork } from "./stop-button.js";
import { isStoppable } from "./tool-call/is-stoppable.js";

/** Props of {@link BackgroundList}. */
export interface BackgroundListProps {
  /** The parts of a transcript that the list shows: its background work, and the names of that work. */
  readonly transcript: Pick<TranscriptSnapshot, "background" | "entries" | "terminals">;
  /** Called when the user stops a tool call or a terminal. Without it, the list has no buttons. */
  readonly onStop?: StopWork;
  readonly className?: string;
}

/** The number of items that are shown. */
const MAX_ITEMS = 50;

/**
 * Lists the work of an agent that continues after its turn, with buttons for the work that can be stopped alone. Shows
 * nothing if there is none, as in version 1 of the protocol, where agents don't report it.
 */
export function BackgroundList({ transcript, onStop, className }: BackgroundListProps): ReactElement | null {
  const { background = none, entries, terminals } = transcript;
  const calls = useMemo(() => callsOf(background, entries), [background, entries]);
  if (background.length === 0) return null;
  return (
    <section className={classNames("acp-background", className)} aria-label="Background work">
      <ul>
        {background.slice(0, MAX_ITEMS).map((work) => {
          const { toolCallId = "", terminalId = "" } = work as { readonly toolCallId?: string; terminalId?: string };
          const part = work.type === "terminal" ? ownValue(terminals, terminalId) : calls.get(toolCallId);
          const title = part === undefined ? undefined : "title" in part ? part.title : part.command;
          const name = plainLine(title) || plainLine(terminalId || toolCallId || work.type);
          return (
            <li key={`${work.type} ${terminalId || toolCallId}`}>
              <bdi>{name}</bdi>{" "}
              {onStop !== undefined && isStoppable(part) && (
                <StopButton work={work as Parameters<StopWork>[0]} name={name} onStop={onStop} />
              )}
            </li>
          );
        })}
      </ul>
      {background.length > MAX_ITEMS && <p className="acp-note">{`and ${background.length - MAX_ITEMS} more`}</p>}
    </section>
  );
}

const none: NonNullable<TranscriptSnapshot["background"]> = [];

/** Finds the listed tool calls among the entries. */
function callsOf(
  background: NonNullable<TranscriptSnapshot["background"]>,
  entries: readonly TranscriptEntry[],
): ReadonlyMap<string, ToolCallEntry> {
  const calls = new Map<string, ToolCallEntry>();
  const ids = new Set(background.map((work) => (work.type === "tool_call" ? work.toolCallId : undefined)));
  ids.delete(undefined);
  if (ids.size === 0) return calls;
  for (const entry of entries)
    if (entry.type === "tool_call" && ids.has(entry.toolCallId)) calls.set(entry.toolCallId, entry);
  return calls;
}
