import type { AgentConnection, Session, SessionSetup, UpdateListener } from "@acp-kit/client";
import { CommandFailure, usageFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";

/** Which session, and in which state. */
export interface SessionChoice {
  readonly setup: SessionSetup;
  /** One of before; `undefined` starts a new one. */
  readonly sessionId?: string | undefined;
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * Opens the session: a new one, or one of before, resumed if the agent can, else loaded. An agent that can do neither is an error: a new
 * session would know nothing of what the user means.
 */
export async function openSession(
  agent: AgentConnection,
  { setup, sessionId }: SessionChoice,
  options: { readonly onUpdate: UpdateListener; readonly signal: AbortSignal },
): Promise<Session> {
  if (sessionId === undefined) return agent.newSession(setup, options);
  const can = ["agentCapabilities.sessionCapabilities.resume", "agentCapabilities.loadSession"];
  if (!can.some((capability) => agent.offers(capability))) {
    throw new CommandFailure(ExitCode.error, "--session: the agent can neither resume nor load a session of before.");
  }
  return agent.openSession({ ...setup, sessionId }, options);
}

/** Switches to the mode and the model that were asked for. A name that the agent doesn't offer is an error that lists those it does. */
export async function applyChoice(session: Session, { mode, model }: SessionChoice): Promise<void> {
  if (model !== undefined) await choose(session, "model", model);
  if (mode !== undefined) await choose(session, "mode", mode);
}

async function choose(session: Session, category: "mode" | "model", wanted: string): Promise<void> {
  const choices = choicesOf(session, category);
  if (choices.length === 0) throw usageFailure(`--${category}: this agent offers no ${category}s to choose from.`);
  const same = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
  const choice = choices.find(({ id }) => id === wanted) ?? choices.find(({ id, name }) => same(id) || same(name));
  if (choice === undefined) {
    const offered = choices.map(({ id, name }) => (name === id ? id : `${id} (${name})`)).join(", ");
    throw usageFailure(`--${category}: there is no ${category} "${wanted}". This agent offers: ${offered}.`);
  }
  await choice.select();
}

interface Choice {
  readonly id: string;
  readonly name: string;
  select(): Promise<unknown>;
}

/** The config option of that category; else, for modes, the session's modes. */
function choicesOf(session: Session, category: "mode" | "model"): Choice[] {
  const option = (session.configOptions ?? []).find((each) => {
    return each.type === "select" && (each.category ?? each.id) === category;
  });
  if (option?.type === "select") {
    const { id, options } = option as {
      id: string;
      options: readonly (FlatOption | { options: readonly FlatOption[] })[];
    };
    return options
      .flatMap((each) => ("options" in each ? each.options : [each]))
      .map(({ value, name }) => ({ id: value, name, select: () => session.setConfigOption(id, value) }));
  }
  if (category === "model") return [];
  return (session.modes?.availableModes ?? []).map(({ id, name }) => ({ id, name, select: () => session.setMode(id) }));
}

interface FlatOption {
  readonly value: string;
  readonly name: string;
}
