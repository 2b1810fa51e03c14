import type { TranscriptEntry, TranscriptSnapshot } from "@acp-kit/client";
import { Composer, LiveStatus, MessageList, plainLine, TranscriptEntryView } from "@acp-kit/react";
import type { ContentBlock } from "@acp-kit/types";
import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import type { Conversation } from "../model/conversation.js";
import { members } from "../model/members.js";
import type { SessionModel } from "../model/session-model.js";
import { canSend, useInspected } from "../parts/context.js";
import { OpenRequests } from "./open-requests.js";
import { SessionOptionsBar } from "./session-options-bar.js";

/** Props of {@link ChatView}. */
export interface ChatViewProps {
  readonly conversation: Conversation;
  readonly session: SessionModel | undefined;
  readonly isPast: boolean;
  readonly onNewSession: () => void;
}

const none: TranscriptSnapshot["entries"] = [];

/** A prompt that waits until the running turn has ended. */
interface Queued {
  readonly key: number;
  readonly sessionId: string;
  readonly blocks: ContentBlock[];
}

/** The transcript of one session, the agent's open requests, and the composer. */
export function ChatView({ conversation, session, isPast, onNewSession }: ChatViewProps): ReactElement {
  const inspected = useInspected();
  const { link } = inspected;
  const snapshot = session?.snapshot;
  const entries = snapshot?.entries ?? none;
  const activity = snapshot?.activity ?? "idle";
  const terminals = snapshot?.terminals;
  const lastKey = activity === "running" ? entries.at(-1)?.key : undefined;
  const renderEntry = useCallback(
    (entry: TranscriptEntry) => (
      <TranscriptEntryView
        entry={entry}
        streaming={entry.key === lastKey}
        {...(entry.type === "tool_call" && terminals && { terminals })}
      />
    ),
    [lastKey, terminals],
  );
  const [queued, setQueued] = useState<readonly Queued[]>([]);
  const nextKey = useRef(0);
  const sessionId = session?.sessionId;
  const prompt = useCallback(
    (id: string, blocks: ContentBlock[]) => link.request("session/prompt", { sessionId: id, prompt: blocks }),
    [link],
  );
  const isStarting = useRef(false); // true from the moment a prompt is sent until the recording contains it
  useEffect(() => {
    const next = queued.find((each) => each.sessionId === sessionId);
    if (activity === "running") isStarting.current = false;
    if (activity === "running" || isStarting.current || next === undefined) return;
    isStarting.current = true;
    setQueued((before) => before.filter((each) => each !== next));
    prompt(next.sessionId, next.blocks);
  }, [activity, queued, sessionId, prompt]);
  const isLive = canSend(inspected) && !isPast;
  const { promptCapabilities } = conversation.agent.capabilities;
  const { image, audio, embeddedContext } = members(promptCapabilities);
  const isControlled = link.state.mode === "agent";
  const last = snapshot?.turns.at(-1);
  return (
    <>
      {session !== undefined && snapshot !== undefined && (
        <SessionOptionsBar session={session} snapshot={snapshot} isLive={isLive && !session.isClosed} />
      )}
      <MessageList
        key={`${sessionId} ${isPast}`}
        entries={entries}
        renderEntry={renderEntry}
        empty={
          <p className="empty">
            {session === undefined ? "There is no session yet." : "No message yet."}{" "}
            {session === undefined && isLive && (
              <button type="button" onClick={onNewSession}>
                New session
              </button>
            )}
          </p>
        }
      />
      <LiveStatus entries={entries} activity={activity} />
      {last?.state === "ended" && (last.error !== undefined || last.stopReason !== "end_turn") && (
        <p className="turn-end">
          {last.error === undefined
            ? `The turn ended: ${plainLine(last.stopReason, 60)}`
            : `The turn failed: ${plainLine(last.error.message, 300)}`}
        </p>
      )}
      <OpenRequests conversation={conversation} sessionId={sessionId} isLive={isLive} />
      {isControlled && (
        <Composer
          disabled={!isLive || session === undefined || session.isClosed}
          running={activity === "running"}
          placeholder={session?.isClosed ? "This session is closed" : "Write to the agent"}
          commands={snapshot?.commands ?? []}
          accepts={{ image: image === true, audio: audio === true, embeddedContext: embeddedContext === true }}
          queued={queued
            .filter((each) => each.sessionId === sessionId)
            .map((each) => ({
              key: each.key,
              text: each.blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join(" "),
              onRemove: () => setQueued((before) => before.filter((other) => other !== each)),
            }))}
          onSend={(blocks) => {
            if (sessionId === undefined) return;
            if (activity === "running") {
              nextKey.current += 1;
              const next = { key: nextKey.current, sessionId, blocks };
              setQueued((before) => [...before, next]);
            } else prompt(sessionId, blocks);
          }}
          onCancel={() => cancel(inspected, conversation, sessionId)}
        />
      )}
    </>
  );
}

/** Cancels the turn as the protocol requires: sends the notification, and responds to open permission requests with `cancelled`. */
function cancel(
  { link }: ReturnType<typeof useInspected>,
  conversation: Conversation,
  sessionId: string | undefined,
): void {
  if (sessionId === undefined) return;
  link.send({ do: "send", message: { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } } });
  for (const request of conversation.agentRequests.values()) {
    if (request.sessionId !== sessionId) continue;
    if (request.method === "session/request_permission")
      link.respond(request.id, { outcome: { outcome: "cancelled" } });
    if (request.method === "elicitation/create") link.respond(request.id, { action: "cancel" });
  }
}
