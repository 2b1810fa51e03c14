import type { Session, TranscriptEntry } from "@acp-kit/client";
import {
  AgentProvider,
  type AgentStore,
  MessageList,
  PermissionQuestionCard,
  SessionComposer,
  TranscriptEntryView,
  useAgent,
  usePermissions,
  useSession,
  useTranscript,
} from "@acp-kit/react";
import type { ReactElement } from "react";

// #region chat
const renderEntry = (entry: TranscriptEntry): ReactElement => <TranscriptEntryView entry={entry} />;

function Chat({ session }: { session: Session | undefined }): ReactElement {
  const entries = useTranscript(session, (transcript) => transcript.entries);
  const questions = usePermissions(session);
  return (
    <>
      <MessageList entries={entries} renderEntry={renderEntry} />
      {questions.map((question) => (
        <PermissionQuestionCard key={question.id} question={question} autoFocus />
      ))}
      <SessionComposer session={session} />
    </>
  );
}

function Page(): ReactElement {
  const { status, error, reconnect } = useAgent();
  const { session } = useSession({ cwd: "/work" });
  if (status === "failed") return <button type="button" onClick={reconnect}>{`${error}: try again`}</button>;
  return <Chat key={session?.sessionId} session={session} />;
}

/**
 * `store` is `createAgentStore((report) => webSocketAgent("ws://127.0.0.1:8080/acp", report))`, created once, outside
 * of components.
 */
export function App({ store }: { store: AgentStore }): ReactElement {
  return (
    <AgentProvider store={store}>
      <Page />
    </AgentProvider>
  );
}
// #endregion chat
