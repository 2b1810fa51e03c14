import { plainLine } from "@acp-kit/react";
import { type ReactElement, type SyntheticEvent, useState } from "react";
import { members } from "../model/members.js";
import { useInspected } from "../parts/context.js";

/** The session methods of a client: new, load, resume, list, close and delete. */
export function SessionsPane(props: {
  /** Called when the user opens a session: with its id, or with `undefined` for a new session. */
  readonly onOpen: (sessionId: string | undefined) => void;
}): ReactElement {
  const { onOpen } = props;
  const { store, link } = useInspected();
  const { conversation } = store;
  const { capabilities, protocolVersion } = conversation.agent;
  const session = members(capabilities.sessionCapabilities);
  const [cwd, setCwd] = useState(link.state.cwd ?? "/");
  const [servers, setServers] = useState("[]");
  const [problem, setProblem] = useState("");
  const isLive = link.canSend;
  const setup = (): { cwd: string; mcpServers: unknown } | undefined => {
    try {
      const mcpServers: unknown = JSON.parse(servers);
      setProblem("");
      return { cwd, mcpServers };
    } catch {
      setProblem("The MCP servers are not JSON.");
      return undefined;
    }
  };
  const onNew = (event: SyntheticEvent): void => {
    event.preventDefault();
    const params = setup();
    if (params === undefined) return;
    link.request("session/new", params);
    onOpen(undefined);
  };
  const open = (method: string, sessionId: string, at: string | undefined): void => {
    const params = setup();
    if (params === undefined) return;
    const isReplay = protocolVersion === 2 && method === "session/load"; // in version 2, it is a kind of resuming
    link.request(isReplay ? "session/resume" : method, {
      ...params,
      sessionId,
      ...(at !== undefined && { cwd: at }),
      ...(isReplay && { replayFrom: { type: "start" } }),
    });
    onOpen(sessionId);
  };
  const known = [...conversation.sessions.values()].map(({ sessionId, cwd: at, snapshot, isClosed }) => ({
    sessionId,
    cwd: at,
    title: snapshot.title,
    isOpen: !isClosed,
  }));
  const listed = conversation.listed
    .filter(({ sessionId }) => !conversation.sessions.has(sessionId))
    .map((each) => ({ ...each, isOpen: false }));
  return (
    <div className="form-pane">
      <form onSubmit={onNew}>
        <h2>New session</h2>
        <label>
          Working directory <input id="cwd" value={cwd} onChange={(event) => setCwd(event.currentTarget.value)} />
        </label>
        <label>
          MCP servers, as JSON{" "}
          <textarea id="mcp" rows={3} value={servers} onChange={(event) => setServers(event.currentTarget.value)} />
        </label>
        <p className="acp-problem" role="alert">
          {problem}
        </p>
        <button type="submit" id="new-session" disabled={!isLive}>
          New session
        </button>{" "}
        {session.list != null && (
          <button type="button" disabled={!isLive} onClick={() => link.request("session/list", {})}>
            List sessions
          </button>
        )}
      </form>
      <h2>Sessions</h2>
      <ul className="sessions">
        {[...known, ...listed].slice(0, 500).map(({ sessionId, cwd: at, title, isOpen }) => (
          <li key={sessionId}>
            <bdi>{plainLine(title ?? sessionId, 80)}</bdi> <span className="acp-note">{plainLine(at, 120)}</span>
            <span className="actions">
              {capabilities.loadSession === true && (
                <button type="button" disabled={!isLive} onClick={() => open("session/load", sessionId, at)}>
                  Load
                </button>
              )}
              {session.resume != null && (
                <button type="button" disabled={!isLive} onClick={() => open("session/resume", sessionId, at)}>
                  Resume
                </button>
              )}
              {session.close != null && isOpen && (
                <button type="button" disabled={!isLive} onClick={() => link.request("session/close", { sessionId })}>
                  Close
                </button>
              )}
              {session.delete != null && (
                <button type="button" disabled={!isLive} onClick={() => link.request("session/delete", { sessionId })}>
                  Delete
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {conversation.nextCursor !== undefined && (
        <button
          type="button"
          id="more-sessions"
          disabled={!isLive}
          onClick={() => link.request("session/list", { cursor: conversation.nextCursor })}
        >
          List more sessions
        </button>
      )}
      {conversation.lastError !== undefined && (
        <p className="acp-problem" role="status">
          {`${plainLine(conversation.lastError.method, 60)}: ${plainLine(conversation.lastError.message, 300)}`}
        </p>
      )}
    </div>
  );
}
