import { type AgentConnection, isAuthRequired, type Session, type UpdateListener } from "@acp-kit/client";
import type { IncomingSessionUpdate } from "@acp-kit/types";

// #region open
/** Opens the saved session with its history, or a new session if the agent no longer has the saved one. */
export function openSession(
  agent: AgentConnection,
  cwd: string,
  saved: string | undefined,
  onUpdate: UpdateListener,
): Promise<Session> {
  // An editor shows the history, so it loads the session and does not resume it. `session.origin` states how the
  // session was opened.
  return agent.openSession({ cwd, sessionId: saved }, { onUpdate, prefer: "load" });
}
// #endregion open

/** Runs an action. If the agent requires a login, it logs in and runs the action again. */
export async function withLogin<Result>(
  agent: AgentConnection,
  choose: (names: readonly string[]) => Promise<number | undefined>,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!isAuthRequired(error)) throw error;
    const methods = agent.authMethods.filter(({ kind }) => kind === "agent"); // logins that the agent handles
    const method = methods[(await choose(methods.map(({ name }) => name))) ?? -1];
    if (method === undefined) throw error;
    await agent.login(method);
    return action();
  }
}

// #region options
/** Returns the settings of a session for a menu: its mode, its model and all other options with choices. */
export function menuOf(session: Session): { name: string; value: string; choices: readonly string[] }[] {
  return [...session.options].flatMap((option) => {
    if (option.type !== "select") return [];
    return [{ name: option.name, value: option.value, choices: option.choices.map(({ name }) => name) }];
  });
}
// #endregion options

// #region prompt
/** Sends the user's text, shows the updates of the turn, and returns the stop reason. The stop button aborts `stop`. */
export async function ask(session: Session, text: string, show: Show, stop: AbortSignal): Promise<string> {
  const turn = session.prompt(text, { signal: stop });
  for await (const update of turn) show(update);
  return (await turn.result).stopReason;
}

type Show = (update: IncomingSessionUpdate) => void;
// #endregion prompt
