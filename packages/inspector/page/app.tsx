import { type ReactElement, useCallback, useState } from "react";
import { ChatPane } from "./chat/chat-pane.js";
import { Header } from "./header.js";
import type { Conversation } from "./model/conversation.js";
import { useInspected } from "./parts/context.js";
import { ComparePane } from "./wire/compare-pane.js";
import { ProcessPane } from "./wire/process-pane.js";
import { WirePane } from "./wire/wire-pane.js";

/** A moment of the past that the conversation shows. */
export interface Moment {
  /** The index of the last entry. */
  readonly entry: number;
  readonly conversation: Conversation;
}

const views = ["Conversation", "Wire", "Process"] as const;

/** The whole page: on a wide screen all parts side by side, on a narrow one a tab for each. */
export function App(): ReactElement {
  const inspected = useInspected();
  const { store, link } = inspected;
  const [moment, setMoment] = useState<Moment>();
  const [view, setView] = useState<(typeof views)[number]>("Conversation");
  const [isComparing, setComparing] = useState<boolean>();
  const onTravel = useCallback(
    (entry: number | undefined) => {
      if (entry === undefined) {
        setMoment(undefined);
        return;
      }
      void store.conversationAt(entry, new AbortController().signal).then((conversation) => {
        if (conversation !== undefined) setMoment({ entry, conversation });
      });
    },
    [store],
  );
  const other = link.state.other;
  const shownComparison = isComparing ?? other !== undefined;
  return (
    <div className="app" data-view={view.toLowerCase()} data-mode={link.state.mode}>
      <Header onCompare={() => setComparing(!shownComparison)} isComparing={shownComparison} />
      {link.status === "lost" && (
        <p className="banner" role="alert">
          The inspector can't be reached: it has ended, or this page's address is not complete. Connecting again…
        </p>
      )}
      <div className="views" role="group" aria-label="View">
        {views.map((each) => (
          <button type="button" key={each} aria-pressed={each === view} onClick={() => setView(each)}>
            {each}
          </button>
        ))}
      </div>
      {shownComparison ? (
        <ComparePane {...(other && { other })} />
      ) : (
        <main>
          <ChatPane moment={moment} onTravel={onTravel} />
          <WirePane moment={moment?.entry} onTravel={onTravel} />
          <ProcessPane />
        </main>
      )}
    </div>
  );
}
