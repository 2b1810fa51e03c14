import type { TranscriptEntry } from "@acp-kit/client";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { ownValue } from "./own-value.js";
import { plainLine } from "./plain-text.js";
import { toolCallStates } from "./tool-call/tool-call-view.js";

/** Props of {@link LiveStatus}. */
export interface LiveStatusProps {
  /** The entries of a transcript. Like `MessageList`, the component shows one session. */
  readonly entries: readonly TranscriptEntry[];
  readonly activity: "idle" | "running";
}

const MAX_ANNOUNCED = 300;
const hidden = {
  position: "absolute",
  width: 1,
  height: 1,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;

/**
 * Announces the events of a conversation to screen readers: the beginning and end of a turn, messages when they are
 * complete, and the states of tool calls. Incomplete messages are not announced.
 */
export function LiveStatus({ entries, activity }: LiveStatusProps): ReactElement {
  const [text, setText] = useState("");
  const before = useRef(activity);
  const last = entries.at(-1);
  const call = last?.type === "tool_call" ? callText(last) : undefined;
  useEffect(() => {
    if (call !== undefined) setText(call);
  }, [call]);
  useEffect(() => {
    if (before.current === activity) return;
    before.current = activity;
    // If the last entry is already a tool call, announces the tool call instead of the beginning of the turn: it may
    // wait for the user.
    if (activity === "running") setText(call ?? "The agent works.");
    else setText(`The agent has finished. ${messageText(last)}`);
  }, [activity, call, last]);
  return (
    <div className="acp-live-status" role="status" style={hidden}>
      {text}
    </div>
  );
}

function callText(entry: Extract<TranscriptEntry, { type: "tool_call" }>): string {
  const state = entry.unfinished ? "stopped" : entry.status;
  const asked = entry.permission?.state === "open" ? ", waits for your permission" : "";
  return `Tool call ${plainLine(entry.title, 100)}: ${ownValue(toolCallStates, state) ?? plainLine(state, 30)}${asked}`;
}

function messageText(entry: TranscriptEntry | undefined): string {
  return entry?.type === "agent_message" ? plainLine(entry.text, MAX_ANNOUNCED) : "";
}
