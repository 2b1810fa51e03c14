import {
  type AgentConnection,
  isNotFound,
  type Session,
  type SessionSetup,
  type UpdateListener,
} from "@acp-kit/client";
import { CommandFailure, usageFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";

/** The session to open, and its mode and model. */
export interface SessionChoice {
  readonly setup: SessionSetup;
  /** The id of a previous session; `undefined` starts a new one. */
  readonly sessionId?: string | undefined;
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * Opens a new session or a previous session. A previous session is resumed if the agent supports that, otherwise
 * loaded. If the agent can do neither, the function throws an error: a new session would lack the history that
 * the user refers to.
 */
export async function openSession(
  agent: AgentConnection,
  { setup, sessionId }: SessionChoice,
  options: { readonly onUpdate: UpdateListener; readonly signal: AbortSignal },
): Promise<Session> {
  if (sessionId === undefined) return agent.newSession(setup, options);
  const saved = { ...setup, sessionId };
  const [resumes, loads] = [resume, load].map((capability) => agent.offers(capability));
  if (resumes) {
    return agent.resumeSession(saved, options).catch((error: unknown) => {
      if (loads && isNotFound(error)) return agent.loadSession(saved, options); // some agents resume only running sessions
      throw error;
    });
  }
  if (loads) return agent.loadSession(saved, options);
  throw new CommandFailure(ExitCode.error, "--session: the agent can neither resume nor load a previous session.");
}

const resume = "agentCapabilities.sessionCapabilities.resume";
const load = "agentCapabilities.loadSession";

/**
 * Switches to the requested mode and model. If the agent doesn't offer the mode or model, throws an error that lists
 * the offered names.
 */
export async function applyChoice(session: Session, { mode, model }: SessionChoice): Promise<void> {
  if (model !== undefined) await choose(session, "model", model);
  if (mode !== undefined) await choose(session, "mode", mode);
}

async function choose(session: Session, category: "mode" | "model", wanted: string): Promise<void> {
  const option = session.options.get(category);
  const choices = option?.type === "select" ? option.choices : [];
  if (option === undefined || choices.length === 0) {
    throw usageFailure(`--${category}: this agent offers no ${category}s to choose from.`);
  }
  const same = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
  const choice =
    choices.find(({ value }) => value === wanted) ?? choices.find(({ value, name }) => same(value) || same(name));
  if (choice === undefined) {
    const offered = choices.map(({ value, name }) => (name === value ? value : `${value} (${name})`)).join(", ");
    throw usageFailure(`--${category}: there is no ${category} "${wanted}". This agent offers: ${offered}.`);
  }
  await session.options.set(option.id, choice.value);
}
