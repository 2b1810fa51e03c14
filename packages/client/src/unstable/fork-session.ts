import { CapabilityError } from "@acp-kit/protocol";
import type { AgentConnection } from "../agent-connection.js";
import { isNotFound } from "../errors.js";
import { checkOpening } from "../session/check-opening.js";
import type { LiveSession } from "../session/live-session.js";
import type { OpenOptions, SessionSetup } from "../session/open-options.js";
import type { Session } from "../session/session.js";

/**
 * Creates a session that begins with the conversation of another one, with `session/fork`. Both sessions then go on
 * independently. `saved` names the other session, which need not be open, and has the setup of the new one: additional
 * directories and MCP servers are not inherited. The agent may replay the conversation; then `options.onUpdate`
 * receives it. Some agents know a fork only after it was opened as a saved session: if the first prompt gets the error
 * `-32002`, the client resumes or loads the fork, and sends the prompt once more.
 *
 * @throws {CapabilityError} when the agent can't fork sessions.
 * @throws {InvalidOptionError} when a member is missing or unknown.
 * @experimental
 * @example
 * ```ts
 * const fork = await forkSession(agent, { sessionId: session.sessionId, cwd });
 * ```
 */
export async function forkSession(
  agent: AgentConnection,
  saved: SessionSetup & { readonly sessionId: string },
  options: OpenOptions = {},
): Promise<Session> {
  checkOpening("forkSession", saved, options);
  const { sessionId, ...setup } = saved;
  const capability = "agentCapabilities.sessionCapabilities.fork";
  if (!agent.peer.offers(capability)) throw new CapabilityError("session/fork", capability);
  const fork = (await agent.opener.new(setup, options, "session/fork" as never, { sessionId })) as LiveSession;
  const { state } = fork;
  state.reopens = (error) => {
    const { openedAs } = state;
    state.reopens = undefined;
    if (!isNotFound(error) || openedAs === undefined) return false;
    state.openedAs = { ...openedAs, generation: -1 }; // as if it were open over another connection
    return true;
  };
  return fork;
}
