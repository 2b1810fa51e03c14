import type { TranscriptEntry, TranscriptSnapshot } from "@acp-kit/client";
import {
  BackgroundList,
  ChildSessionView,
  Composer,
  LiveStatus,
  MessageList,
  plainLine,
  type StopWork,
  TranscriptEntryView,
} from "@acp-kit/react";
import { type ReactElement, useCallback } from "react";
import type { Conversation } from "../model/conversation.js";
import { members } from "../model/members.js";
import type { SessionModel } from "../model/session-model.js";
import { useInspected } from "../parts/context.js";
import { useSignal } from "../parts/use-signal.js";
import { OpenRequests } from "./open-requests.js";
import { SessionOptionsBar } from "./session-options-bar.js";

/** Props of {@link ChatView}. */
export interface ChatViewProps {
  readonly conversation: Conversation;
  readonly session: SessionModel | undefined;
  readonly isPast: boolean;
  /** Whether the chat's tab is shown. While it is not, the page keeps the user's drafts. */
  readonly isShown: boolean;
  readonly onNewSession: () => void;
}

const none: TranscriptSnapshot["entries"] = [];
/** The number of child sessions that are shown. */
const MAX_CHILDREN = 20;

/** The transcript of one session, the agent's open requests, and the composer. */
export function ChatView({ conversation, session, isPast, isShown, onNewSession }: ChatViewProps): ReactElement {
  const inspected = useInspected();
  const { link, prompts } = inspected;
  useSignal(prompts.signal);
  const snapshot = session?.snapshot;
  const entries = snapshot?.entries ?? none;
  const activity = snapshot?.activity ?? "idle";
  const terminals = snapshot?.terminals;
  const lastKey = activity === "running" ? entries.at(-1)?.key : undefined;
  const sessionId = session?.sessionId;
  const isLive = link.canSend && !isPast;
  const onStop = useCallback<StopWork>(
    ({ type, ...work }) => link.request(`${type}/cancel`, { sessionId, ...work }),
    [link, sessionId],
  );
  const stopping = isLive ? { onStop } : {};
  const renderEntry = useCallback(
    (entry: TranscriptEntry) => (
      <TranscriptEntryView
        entry={entry}
        streaming={entry.key === lastKey}
        {...(entry.type === "tool_call" && terminals && { terminals })}
        {...(isLive && { onStop })}
      />
    ),
    [lastKey, terminals, isLive, onStop],
  );
  const { promptCapabilities } = conversation.agent.capabilities;
  const { image, audio, embeddedContext } = members(promptCapabilities);
  const isControlled = link.state.mode === "agent";
  const last = snapshot?.turns.at(-1);
  return (
    <>
      {isShown && session !== undefined && snapshot !== undefined && (
        <SessionOptionsBar
          session={session}
          isVersion2={conversation.agent.protocolVersion === 2}
          snapshot={snapshot}
          isLive={isLive && !session.isClosed}
        />
      )}
      {isShown && (
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
      )}
      {isShown && snapshot !== undefined && (
        <>
          <BackgroundList transcript={snapshot} {...stopping} />
          {Object.values(snapshot.children ?? {})
            .slice(0, MAX_CHILDREN)
            .map((child) => (
              <ChildSessionView
                key={child.sessionId}
                child={child}
                {...(isLive && { onStop: () => cancel(inspected, conversation, child.sessionId) })}
              />
            ))}
          {snapshot.sending !== undefined && (
            <p className="acp-note">{`Prompts that the agent has not begun: ${snapshot.sending.length}`}</p>
          )}
        </>
      )}
      <LiveStatus key={`status ${sessionId} ${isPast}`} entries={entries} activity={activity} />
      {isShown && last?.state === "ended" && (last.error !== undefined || last.stopReason !== "end_turn") && (
        <p className="turn-end">
          {last.error === undefined
            ? `The turn ended: ${plainLine(last.stopReason, 60)}`
            : `The turn failed: ${plainLine(last.error.message, 300)}`}
        </p>
      )}
      <div className="tab" hidden={!isShown}>
        <OpenRequests conversation={conversation} sessionId={sessionId} isLive={isLive} />
        {isControlled && (
          <Composer
            disabled={!isLive || session === undefined || session.isClosed}
            running={activity === "running"}
            placeholder={session?.isClosed ? "This session is closed" : "Write to the agent"}
            commands={snapshot?.commands ?? []}
            accepts={{ image: image === true, audio: audio === true, embeddedContext: embeddedContext === true }}
            queued={prompts.queued
              .filter((each) => each.sessionId === sessionId)
              .map((each) => ({
                key: each.key,
                text: each.blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join(" "),
                onRemove: () => prompts.remove(each),
              }))}
            onSend={(blocks) => {
              if (sessionId !== undefined) prompts.add(sessionId, blocks);
            }}
            onCancel={() => cancel(inspected, conversation, sessionId)}
          />
        )}
      </div>
    </>
  );
}

/** Cancels the turn: sends the notification, and responds to open permission requests with `cancelled`. */
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
