import { type ReactElement, useCallback, useRef, useState } from "react";
import { ChatPane, type Moment } from "./chat/chat-pane.js";
import { Header } from "./header.js";
import { useInspected } from "./parts/context.js";
import { ComparePane } from "./wire/compare-pane.js";
import { ProcessPane } from "./wire/process-pane.js";
import { WirePane } from "./wire/wire-pane.js";

const views = ["Conversation", "Wire", "Process"] as const;

/** The whole page. On a wide screen, all parts are side by side; on a narrow screen, each part has a tab. */
export function App(): ReactElement {
  const inspected = useInspected();
  const { store, link } = inspected;
  const [moment, setMoment] = useState<Moment>();
  const [view, setView] = useState<(typeof views)[number]>("Conversation");
  const [isComparing, setComparing] = useState<boolean>();
  const travel = useRef<AbortController>(undefined);
  const onTravel = useCallback(
    (entry: number | undefined) => {
      travel.current?.abort(); // an earlier call may end later, and must not replace this result
      if (entry === undefined) {
        setMoment(undefined);
        return;
      }
      travel.current = new AbortController();
      void store.conversationAt(entry, travel.current.signal).then((conversation) => {
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
          The inspector can't be reached: either it has ended, or the address of this page is incomplete. Reconnecting…
        </p>
      )}
      <nav className="views" aria-label="View">
        {views.map((each) => (
          <button type="button" key={each} aria-pressed={each === view} onClick={() => setView(each)}>
            {each}
          </button>
        ))}
      </nav>
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
