import { createTranscript, type Transcript, type TranscriptEntry } from "@acp-kit/client";
import type { ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { Composer, LiveStatus, MessageList, PermissionCard, TranscriptEntryView, useReadable } from "../src/index.js";

// A page for browser.test.ts: a conversation to which the test adds messages.

const transcript: Transcript = createTranscript({ schedule: requestAnimationFrame });
const empty = transcript.snapshot;
const counts = { rendered: 0 };

const renderEntry = (entry: TranscriptEntry): ReactElement => {
  counts.rendered += 1;
  return <TranscriptEntryView entry={entry} terminals={transcript.snapshot.terminals} />;
};

function Page(): ReactElement {
  const { entries, activity } = useReadable(transcript, empty);
  return (
    <main style={{ display: "flex", flexDirection: "column", height: "100vh" }}>
      <h1>Conversation</h1>
      <MessageList entries={entries} renderEntry={renderEntry} />
      <LiveStatus entries={entries} activity={activity} />
      <PermissionCard
        title="Edit a.ts"
        options={[
          { optionId: "a", name: "Allow", kind: "allow_once" },
          { optionId: "r", name: "Reject", kind: "reject_once" },
        ]}
        onDecide={() => {}}
      />
      <Composer
        onSend={() => {}}
        accepts={{ image: true }}
        commands={[{ name: "plan", description: "Makes a plan" }]}
      />
    </main>
  );
}

Object.assign(globalThis, { transcript, counts });
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Page />);
