import { type AgentConnection, isAuthRequired, type Session, type UpdateListener } from "@acp-kit/client";

// #region open
/** Opens the saved session with its history if the agent still has it, else a new one. */
export function openSession(
  agent: AgentConnection,
  cwd: string,
  saved: string | undefined,
  onUpdate: UpdateListener,
): Promise<Session> {
  // An editor shows the history, so it is loaded rather than resumed; `session.origin` says what happened.
  return agent.openSession({ cwd, sessionId: saved }, { onUpdate, prefer: "load" });
}
// #endregion open

// #region login
/** Does something that may need a login, and logs in when it does. */
export async function withLogin<Result>(
  agent: AgentConnection,
  choose: (names: readonly string[]) => Promise<number | undefined>,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!isAuthRequired(error)) throw error;
    const methods = agent.authMethods.filter(({ kind }) => kind === "agent"); // the agent does these itself
    const method = methods[(await choose(methods.map(({ name }) => name))) ?? -1];
    if (method === undefined) throw error;
    await agent.login(method);
    return action();
  }
}
// #endregion login

// #region options
/** The settings of a session as a menu: options where the agent has them, else its modes. */
export function menuOf(session: Session): { name: string; value: string; choices: readonly string[] }[] {
  if (session.configOptions !== undefined) {
    return session.configOptions.flatMap((option) => {
      if (option.type !== "select") return [];
      const choices = option.options.flatMap((choice) => ("options" in choice ? choice.options : [choice]));
      return [{ name: option.name, value: option.currentValue, choices: choices.map(({ name }) => name) }];
    });
  }
  const { modes } = session;
  if (modes === undefined) return [];
  return [{ name: "Mode", value: modes.currentModeId, choices: modes.availableModes.map(({ name }) => name) }];
}
// #endregion options

// #region prompt
/** Sends what the user wrote, shows what comes, and says why it ended. The stop button aborts `stop`. */
export async function ask(session: Session, text: string, show: UpdateListener, stop: AbortSignal): Promise<string> {
  const off = session.onUpdate(show);
  try {
    const { stopReason } = await session.prompt(text, { signal: stop }).result;
    return stopReason; // every update of the turn has been shown
  } finally {
    off();
  }
}
// #endregion prompt
