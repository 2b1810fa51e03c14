import { type PermissionPart, permissionView } from "@acp-kit/client";
import type { IncomingToolCallUpdate } from "@acp-kit/types";
import { type ReactElement, type ReactNode, useState } from "react";
import { plainText } from "./plain-text.js";
import { DiffView } from "./tool-call/diff-view.js";

/** The number of parts, and of characters of a text, that are shown at first. */
const [MAX_PARTS, MAX_TEXT] = [20, 4_000];

/** Shows what the agent asks to do: command or diffs, places, content, other input; large details on demand. */
export function PermissionDetails({ toolCall }: { readonly toolCall: IncomingToolCallUpdate }): ReactElement | null {
  const [shows, setShows] = useState(MAX_PARTS);
  const { parts } = permissionView({ toolCall });
  const missing = parts.length - shows;
  if (parts.length === 0) return null;
  return (
    <div className="acp-permission-details">
      {parts.slice(0, shows).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        <Part key={index} part={part} />
      ))}
      {missing > 0 && (
        <button type="button" onClick={() => setShows(shows * 10)}>{`Show more (${missing} are not shown)`}</button>
      )}
    </div>
  );
}

function Part({ part }: { readonly part: PermissionPart }): ReactNode {
  switch (part.type) {
    case "diff":
      return <DiffView path={part.path} oldText={part.oldText} newText={part.newText} />;
    case "place":
      return (
        <p className="acp-permission-place">
          <bdi>{plainText(part.path) + (part.line === undefined ? "" : `:${part.line}`)}</bdi>
        </p>
      );
    default:
      return <Text part={part} />;
  }
}

const labels = { command: "Command", content: "Content", input: "Input" } as const;

function Text({ part }: { readonly part: Extract<PermissionPart, { readonly text: string }> }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const missing = part.text.length - MAX_TEXT;
  const isCut = missing > 0 && !isWhole;
  return (
    <div className={`acp-permission-${part.type}`}>
      <pre role="group" aria-label={labels[part.type]} tabIndex={0}>
        {(part.type === "command" ? "$ " : "") + plainText(isCut ? part.text.slice(0, MAX_TEXT) : part.text)}
      </pre>
      {isCut && <button type="button" onClick={() => setWhole(true)}>{`Show all (${missing} more characters)`}</button>}
    </div>
  );
}
