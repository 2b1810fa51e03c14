// A chat page for any agent: open it with the URL of the agent in the fragment, #ws://127.0.0.1:8080/acp
import "@acp-kit/react/theme.css";
import "./chat.css";
import { type Session, serverFolder, type TranscriptEntry } from "@acp-kit/client";
import { webSocketAgent } from "@acp-kit/http";
import {
  AgentProvider,
  createAgentStore,
  FormCard,
  LiveStatus,
  MessageList,
  PermissionQuestionCard,
  plainLine,
  SessionComposer,
  TranscriptEntryView,
  useAgent,
  useForms,
  useOptions,
  usePermissions,
  useSession,
  useTranscript,
  useUsage,
} from "@acp-kit/react";
import { type ReactElement, useCallback, useEffect } from "react";
import { createRoot } from "react-dom/client";

const url = location.hash.slice(1) || `ws://${location.host}/acp`;
const store = createAgentStore((report) => webSocketAgent(url, report), {
  info: { name: "react-chat", version: "1.0.0" },
  forms: true,
});
/** The session that this tab showed before it was loaded again. */
const saved = sessionStorage.getItem(url);

function Page(): ReactElement {
  const { status, agent, error, reconnect } = useAgent();
  const request = { cwd: serverFolder, prefer: "load", ...(saved !== null && { sessionId: saved }) } as const;
  const { session, error: sessionError, retry } = useSession(request);
  useEffect(() => {
    if (session !== undefined) sessionStorage.setItem(url, session.sessionId);
  }, [session]);
  const problem = error ?? sessionError;
  return (
    <>
      <header>
        <h1>{plainLine(agent?.info?.title ?? agent?.info?.name ?? "Chat")}</h1>
        <span>{status}</span>
        <Mode session={session} />
        <Usage session={session} />
      </header>
      {problem !== undefined && (
        <p role="alert">
          {problem instanceof Error ? problem.message : String(problem)}{" "}
          <button type="button" onClick={agent === undefined ? reconnect : retry}>
            Try again
          </button>
        </p>
      )}
      <main>
        <Conversation key={session?.sessionId} session={session} />
      </main>
    </>
  );
}

function Conversation({ session }: { session: Session | undefined }): ReactElement {
  const { entries, activity, terminals } = useTranscript(session);
  const questions = usePermissions(session);
  const forms = useForms(session);
  const streamingKey = activity === "running" ? entries.at(-1)?.key : undefined;
  const renderEntry = useCallback(
    (entry: TranscriptEntry) => (
      <TranscriptEntryView entry={entry} terminals={terminals} streaming={entry.key === streamingKey} />
    ),
    [terminals, streamingKey],
  );
  return (
    <>
      <MessageList entries={entries} renderEntry={renderEntry} empty={<p>Say something.</p>} />
      <LiveStatus entries={entries} activity={activity} />
      {questions.map((question) => (
        <PermissionQuestionCard key={question.id} question={question} autoFocus />
      ))}
      {forms.map(({ id, request, completed, respond }) => (
        <FormCard key={id} request={request} completed={completed} onRespond={respond} />
      ))}
      <SessionComposer session={session} />
    </>
  );
}

function Mode({ session }: { session: Session | undefined }): ReactElement | null {
  const { options, set } = useOptions(session);
  const mode = options.find(({ category }) => category === "mode");
  if (mode?.type !== "select") return null;
  return (
    <select aria-label="Mode" value={mode.value} onChange={(event) => void set(mode.id, event.currentTarget.value)}>
      {mode.choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Usage({ session }: { session: Session | undefined }): ReactElement | null {
  const { context } = useUsage(session);
  return context === undefined ? null : <span>{`${context.used} of ${context.size} tokens`}</span>;
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <AgentProvider store={store}>
      <Page />
    </AgentProvider>,
  );
}
