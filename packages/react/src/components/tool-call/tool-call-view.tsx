import type { ToolCallEntry, TranscriptTerminal } from "@acp-kit/client";
import { prefixOf } from "@acp-kit/protocol/internal";
import type { IncomingToolCallContent } from "@acp-kit/types";
import { memo, type NamedExoticComponent, type ReactElement, type ReactNode, type ToggleEvent, useState } from "react";
import { classNames } from "../class-names.js";
import { ContentBlocks } from "../content-blocks.js";
import { OpenableFile } from "../file-links.js";
import { ownValue } from "../own-value.js";
import { plainLine, plainText } from "../plain-text.js";
import { StopButton, type StopWork } from "../stop-button.js";
import { DiffView } from "./diff-view.js";
import { isStoppable } from "./is-stoppable.js";
import { originalDiffOf, PatchView } from "./patch-view.js";
import { TerminalOutput } from "./terminal-output.js";

/** Props of {@link ToolCallView}. */
export interface ToolCallViewProps {
  readonly entry: ToolCallEntry;
  /** The terminals of the transcript, for the output of the call's commands. */
  readonly terminals?: Readonly<Record<string, TranscriptTerminal>>;
  /**
   * Whether the content is shown at first. By default, it is shown if the call is running, or if it contains a diff or
   * a terminal, unless the card of its permission request shows it.
   */
  readonly defaultOpen?: boolean;
  /**
   * Called when the user stops the call or one of its terminals. The view has buttons for this if the agent can stop
   * them alone, as agents of version 2 can.
   */
  readonly onStop?: StopWork;
  /** The content below the title, such as a `PermissionCard`. */
  readonly children?: ReactNode;
  readonly className?: string;
}

/** The labels of the states of a tool call. A call is `stopped` if its turn ended before the call ended. */
export const toolCallStates = {
  pending: "waiting",
  in_progress: "running",
  completed: "done",
  failed: "failed",
  paused: "paused",
  cancelled: "cancelled",
  stopped: "stopped",
} as const;

/** Shows a tool call: its title and state, and, when opened, its diffs, terminals and other content. */
export const ToolCallView: NamedExoticComponent<ToolCallViewProps> = memo(function ToolCallView(
  props: ToolCallViewProps,
): ReactElement {
  const { entry, terminals = none, onStop, children, className } = props;
  const state = entry.unfinished ? "stopped" : entry.status;
  const [isOpen, setOpen] = useState<boolean>();
  const [limit, setLimit] = useState(MAX_CONTENT);
  const isAsked = entry.permission?.state === "open" && children != null; // the card of the request shows the content
  const open = isOpen ?? props.defaultOpen ?? (!isAsked && opensItself(entry));
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void => {
    // A browser sends the event also when the component has changed the state
    if (currentTarget.open !== open) setOpen(currentTarget.open);
  };
  const shownIds = new Set(
    entry.content.flatMap((item) => (item.type === "terminal" ? [String(item.terminalId)] : [])),
  );
  const others = entry.terminalIds.filter((id) => !shownIds.has(id));
  const changed = new Set(entry.content.map((item) => (item.type === "diff" ? item.path : undefined)));
  // A diff shows its path itself
  const locations = entry.locations.filter(({ path, line }) => line != null || !changed.has(path));
  const missing = Math.max(0, entry.content.length - limit) + Math.max(0, others.length - limit);
  return (
    <div
      role="group"
      className={classNames("acp-tool-call", className)}
      data-status={state}
      data-kind={entry.kind}
      aria-label={`Tool call: ${plainLine(entry.title) || "no title yet"}`}
    >
      <details open={open} onToggle={onToggle}>
        <summary>
          <span className="acp-tool-kind">{plainLine(entry.kind, 30)}</span>{" "}
          <bdi className="acp-tool-title">{plainLine(entry.title) || "…"}</bdi>{" "}
          <span className="acp-tool-status">{ownValue(toolCallStates, state) ?? plainLine(state, 30)}</span>
        </summary>
        {open && (
          <div className="acp-tool-body">
            {locations.length > 0 && (
              <ul className="acp-locations" aria-label="Files">
                {locations.slice(0, MAX_LOCATIONS).map(({ path, line }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: locations have no identity but their place
                  <li key={index}>
                    <OpenableFile link={{ path, ...(line != null && { line }) }}>
                      <bdi>{plainLine(path) + (line == null ? "" : `:${line}`)}</bdi>
                    </OpenableFile>
                  </li>
                ))}
              </ul>
            )}
            {entry.content.slice(0, limit).map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: content has no identity but its place
              <Content key={index} item={item} terminals={terminals} onStop={onStop} />
            ))}
            {others.slice(0, limit).map((id) => (
              <TerminalView key={id} terminal={ownValue(terminals, id)} onStop={onStop} />
            ))}
            {missing > 0 && (
              <button type="button" onClick={() => setLimit(limit * 10)}>
                {`Show more (${missing} are not shown)`}
              </button>
            )}
            {entry.rawInput !== undefined && <RawValue label="Input" value={entry.rawInput} />}
            {entry.rawOutput !== undefined && <RawValue label="Output" value={entry.rawOutput} />}
          </div>
        )}
      </details>
      {onStop !== undefined && isStoppable(entry) && (
        <StopButton work={{ type: "tool_call", toolCallId: entry.toolCallId }} name={entry.title} onStop={onStop} />
      )}
      {children}
    </div>
  );
});

const none: Readonly<Record<string, TranscriptTerminal>> = {};
const MAX_LOCATIONS = 100;
/** The number of contents that are shown at first: thousands of diffs would block the page for minutes. */
const MAX_CONTENT = 50;
const MAX_RAW = 20_000;

function opensItself({ content, terminalIds, status }: ToolCallEntry): boolean {
  return status === "in_progress" || terminalIds.length > 0 || content.some(({ type }) => type === "diff");
}

function Content(props: {
  readonly item: IncomingToolCallContent;
  readonly terminals: Readonly<Record<string, TranscriptTerminal>>;
  readonly onStop: StopWork | undefined;
}): ReactNode {
  const original = originalDiffOf(props.item);
  if (original === null) return null;
  if (original !== undefined) return <PatchView diff={original} />;
  const item = props.item as { type: string } & Readonly<Record<string, unknown>>;
  switch (item.type) {
    case "diff":
      return (
        <DiffView
          path={String(item.path)}
          oldText={typeof item.oldText === "string" ? item.oldText : null}
          newText={String(item.newText)}
        />
      );
    case "terminal":
      return <TerminalView terminal={ownValue(props.terminals, String(item.terminalId))} onStop={props.onStop} />;
    case "content":
      return <ContentBlocks content={[item.content as never]} />;
    default:
      return <p>{`[${plainLine(item.type, 60)}]`}</p>;
  }
}

function TerminalView({
  terminal,
  onStop,
}: {
  readonly terminal: TranscriptTerminal | undefined;
  readonly onStop: StopWork | undefined;
}): ReactElement {
  const { command = "", output = "", exit } = terminal ?? {};
  const end =
    exit === undefined ? undefined : exit.signal ? `ended by ${exit.signal}` : `exit code ${exit.exitCode ?? "?"}`;
  return (
    <figure className="acp-terminal-view">
      <figcaption>
        <bdi>{`$ ${plainLine(command)}`}</bdi>{" "}
        {end !== undefined && <span className="acp-note">{plainLine(end, 60)}</span>}
        {terminal !== undefined && onStop !== undefined && isStoppable(terminal) && (
          <StopButton work={{ type: "terminal", terminalId: terminal.terminalId }} name={command} onStop={onStop} />
        )}
      </figcaption>
      <TerminalOutput output={output} label={`Output of ${plainLine(command, 100) || "a command"}`} />
    </figure>
  );
}

function RawValue({ label, value }: { readonly label: string; readonly value: unknown }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="acp-raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <pre tabIndex={0}>{plainText(prefixOf(textOf(value), MAX_RAW))}</pre>}
    </details>
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, undefined, 2) ?? "";
  } catch {
    return "(nested too deep)";
  }
}
