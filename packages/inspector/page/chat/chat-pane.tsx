import { plainLine } from "@acp-kit/react";
import { type ReactElement, useState } from "react";
import type { Conversation } from "../model/conversation.js";
import { useInspected } from "../parts/context.js";
import { useSignal } from "../parts/use-signal.js";
import { ChatView } from "./chat-view.js";
import { RawPane } from "./raw-pane.js";
import { SessionsPane } from "./sessions-pane.js";
import { SettingsPane } from "./settings-pane.js";

/** The conversation as it was at an earlier entry of the recording. */
export interface Moment {
  /** The index of the last entry. */
  readonly entry: number;
  readonly conversation: Conversation;
}

/** Props of {@link ChatPane}. */
export interface ChatPaneProps {
  readonly moment: Moment | undefined;
  readonly onTravel: (entry: number | undefined) => void;
}

const tabs = ["Chat", "Sessions", "Agent", "Raw"] as const;
type Tab = (typeof tabs)[number];

/** The conversation as a user sees it, and the controls of a client. */
export function ChatPane({ moment, onTravel }: ChatPaneProps): ReactElement {
  const { store, link } = useInspected();
  useSignal(store.signal);
  const [tab, setTab] = useState<Tab>("Chat");
  /** The tabs that the user has opened. They stay in the page, so that their drafts are not lost. */
  const [opened, setOpened] = useState<ReadonlySet<Tab>>(new Set());
  const [chosen, setChosen] = useState<string>();
  const conversation = moment?.conversation ?? store.conversation;
  const sessions = [...conversation.sessions.values()];
  const sessionId = chosen !== undefined && conversation.sessions.has(chosen) ? chosen : conversation.latest;
  const session = sessionId === undefined ? undefined : conversation.sessions.get(sessionId);
  const hasControls = link.state.mode === "agent";
  const show = (next: Tab): void => {
    setTab(next);
    setOpened((before) => new Set(before).add(next));
  };
  return (
    <section className="chat" aria-label="Conversation">
      <div className="tabs">
        {hasControls && (
          <div role="group" aria-label="Part">
            {tabs.map((each) => (
              <button type="button" key={each} aria-pressed={each === tab} onClick={() => show(each)}>
                {each}
              </button>
            ))}
          </div>
        )}
        {sessions.length > 0 && (
          <select
            id="chosen-session"
            aria-label="Session"
            value={sessionId ?? ""}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {sessions.map((each, index) => (
              <option key={each.sessionId} value={each.sessionId}>
                {`s${index + 1} ${plainLine(each.snapshot.title ?? each.sessionId, 40)}${each.isClosed ? " (closed)" : ""}`}
              </option>
            ))}
          </select>
        )}
      </div>
      {moment !== undefined && (
        <p className="banner" role="status">
          As it was at message {moment.entry + 1}.{" "}
          <button type="button" onClick={() => onTravel(undefined)}>
            Back to the end
          </button>
        </p>
      )}
      {hasControls && (
        <>
          <div className="tab" hidden={tab !== "Sessions"}>
            {opened.has("Sessions") && <SessionsPane onOpen={setChosen} />}
          </div>
          <div className="tab" hidden={tab !== "Agent"}>
            {opened.has("Agent") && <SettingsPane />}
          </div>
          <div className="tab" hidden={tab !== "Raw"}>
            {opened.has("Raw") && (
              <RawPane
                protocolVersion={conversation.agent.protocolVersion}
                {...(sessionId !== undefined && { sessionId })}
              />
            )}
          </div>
        </>
      )}
      <ChatView
        conversation={conversation}
        session={session}
        isPast={moment !== undefined}
        isShown={!hasControls || tab === "Chat"}
        onNewSession={() => show("Sessions")}
      />
    </section>
  );
}
