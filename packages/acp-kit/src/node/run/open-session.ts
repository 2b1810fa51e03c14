import {
  type AgentConnection,
  isNotFound,
  isRpcError,
  type Session,
  type SessionSetup,
  type UpdateListener,
} from "@acp-kit/client";
import { CommandFailure, usageFailure } from "../command-failure.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";

/** The session to open, and its mode and model. */
export interface SessionChoice {
  readonly setup: SessionSetup;
  /** The id of a previous session; `undefined` starts a new one. */
  readonly sessionId?: string | undefined;
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  /** The mode and the model from settings, for those that the user has not named. */
  readonly defaults?: ChoiceDefaults | undefined;
}

/** A mode and a model from a file with settings. */
export interface ChoiceDefaults {
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  readonly file: string;
  /** Whether an editor owns the file. Editors start an agent also if it no longer has the mode or the model. */
  readonly isEditors: boolean;
}

/** Options of {@link openSession}. */
export interface OpeningOptions {
  readonly onUpdate: UpdateListener;
  readonly signal: AbortSignal;
  /** Whether the user wants to see the history of a previous session. The default is `false`. */
  readonly showsHistory?: boolean;
}

/**
 * Opens a new session or a previous session. A previous session is resumed if the agent supports that, otherwise
 * loaded; with `showsHistory` it is loaded if the agent supports that. If the agent can do neither, the function throws
 * an error: a new session would lack the history that the user refers to.
 */
export async function openSession(
  agent: AgentConnection,
  { setup, sessionId }: SessionChoice,
  { showsHistory = false, ...options }: OpeningOptions,
): Promise<Session> {
  if (sessionId === undefined) return agent.newSession(setup, options);
  const saved = { ...setup, sessionId };
  const [resumes, loads] = [agent.offers(resume), agent.offers(load)];
  if (resumes && !(showsHistory && loads)) {
    return agent.resumeSession(saved, options).catch((error: unknown) => {
      // Some agents resume only running sessions
      if (loads && isNotFound(error)) return agent.loadSession(saved, options);
      throw error;
    });
  }
  if (loads) return agent.loadSession(saved, options);
  throw new CommandFailure(ExitCode.error, "--session: the agent can neither resume nor load a previous session.");
}

const resume = "agentCapabilities.sessionCapabilities.resume";
const load = "agentCapabilities.loadSession";

/**
 * Switches to the requested mode and model, or to those of the settings. If the agent doesn't offer one, throws an
 * error that lists the offered names; for one from the settings of an editor, passes that text to `warn` instead.
 */
export async function applyChoice(
  session: Session,
  choice: SessionChoice,
  warn: (text: string) => void,
): Promise<void> {
  const { defaults } = choice;
  for (const category of ["model", "mode"] as const) {
    const wanted = choice[category];
    const preset = defaults?.[category];
    if (wanted !== undefined) await choose(session, category, wanted, `--${category}`);
    else if (defaults !== undefined && preset !== undefined) {
      const place = `${defaults.file}, "${defaults.isEditors ? "default_" : ""}${category}"`;
      await choose(session, category, preset, place).catch((error: unknown) => {
        if (!defaults.isEditors || !(error instanceof CommandFailure || isRpcError(error))) throw error;
        const why = error instanceof CommandFailure ? error.message : `${place}: ${errorText(error)}.`;
        warn(`${why} The agent keeps its own ${category}.`);
      });
    }
  }
}

async function choose(session: Session, category: "mode" | "model", wanted: string, place: string): Promise<void> {
  const option = session.options.get(category);
  const choices = option?.type === "select" ? option.choices : [];
  if (option === undefined || choices.length === 0) {
    throw usageFailure(`${place}: this agent offers no ${category}s to choose from.`);
  }
  const same = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
  const choice =
    choices.find(({ value }) => value === wanted) ?? choices.find(({ value, name }) => same(value) || same(name));
  if (choice === undefined) {
    const offered = choices.map(({ value, name }) => (name === value ? value : `${value} (${name})`)).join(", ");
    throw usageFailure(`${place}: there is no ${category} "${wanted}". This agent offers: ${offered}.`);
  }
  await session.options.set(option.id, choice.value);
}
