import type { PlanTranscriptEntry, TranscriptEntry, TranscriptTerminal } from "@acp-kit/client";
import { memo, type NamedExoticComponent, type ReactElement, type ReactNode } from "react";
import { ContentBlocks } from "./content-blocks.js";
import type { RenderCode } from "./markdown/tokens.js";
import { plainLine, plainText } from "./plain-text.js";
import { PlanList } from "./plan-list.js";
import { ToolCallView, type ToolCallViewProps } from "./tool-call/tool-call-view.js";

/** Props of {@link TranscriptEntryView}. */
export interface TranscriptEntryViewProps {
  readonly entry: TranscriptEntry;
  readonly terminals?: Readonly<Record<string, TranscriptTerminal>>;
  /** Whether the entry may still grow: `true` for the last entry while a turn runs. */
  readonly streaming?: boolean;
  readonly renderCode?: RenderCode;
  /** See `ToolCallView`. */
  readonly onStop?: ToolCallViewProps["onStop"];
  /** Content to show inside a tool call, such as the card of its permission request. */
  readonly children?: ReactNode;
}

/** Shows any entry of a transcript: messages, thoughts, tool calls, plans, notices, compactions and unknown updates. */
export const TranscriptEntryView: NamedExoticComponent<TranscriptEntryViewProps> = memo(function TranscriptEntryView(
  props: TranscriptEntryViewProps,
): ReactElement {
  const { entry, terminals, streaming = false, renderCode, onStop, children } = props;
  switch (entry.type) {
    case "user_message":
    case "agent_message":
      return (
        <article className={`acp-message acp-${entry.type.replace("_", "-")}`} aria-label={authors[entry.type]}>
          <ContentBlocks content={entry.content} streaming={streaming} {...(renderCode && { renderCode })} />
        </article>
      );
    case "thought":
      return (
        <details className="acp-message acp-thought">
          <summary>{authors.thought}</summary>
          <ContentBlocks content={entry.content} streaming={streaming} />
        </details>
      );
    case "tool_call":
      return (
        <ToolCallView entry={entry} {...(terminals && { terminals })} {...(onStop && { onStop })}>
          {children}
        </ToolCallView>
      );
    case "plan":
      return markdownOf(entry) === undefined ? (
        <PlanList entries={entry.entries} />
      ) : (
        <section className="acp-plan" aria-label="Plan">
          <ContentBlocks content={[{ type: "text", text: markdownOf(entry) ?? "" }]} />
        </section>
      );
    case "notice":
      return (
        <p className="acp-notice" data-severity={plainLine(entry.severity, 20)} role="note">
          <strong>{plainLine(entry.title)}</strong> {plainText(entry.description)}
        </p>
      );
    case "compaction":
      return (
        <p className="acp-notice" role="note">{`The conversation was summarised: ${plainLine(entry.status, 30)}`}</p>
      );
    default:
      return <p className="acp-notice" role="note">{`[${plainLine(entry.update.sessionUpdate, 60)}]`}</p>;
  }
});

/** Returns the text of a plan in Markdown. */
function markdownOf({ other }: PlanTranscriptEntry): string | undefined {
  const { type, content } = (other ?? {}) as { readonly type?: unknown; readonly content?: unknown };
  return type === "markdown" && typeof content === "string" ? content : undefined;
}

const authors = { user_message: "You", agent_message: "Agent", thought: "Thought" } as const;
