import type { AgentConnection, OptionValues, Session } from "@acp-kit/client";

/** What the app stores between its runs. */
export interface Saved {
  readonly sessionId?: string;
  readonly options?: OptionValues;
}

export async function reopen(agent: AgentConnection, cwd: string, saved: Saved): Promise<Session> {
  const { sessionId, options = {} } = saved;
  const session = await agent.openSession({ cwd, sessionId }, { options });
  if (session.origin === "new" && sessionId !== undefined) console.log("The conversation of last time is gone.");
  return session;
}

/** Returns one line for each setting: modes, models and options. */
export function menuOf(session: Session): string[] {
  return [...session.options].map(({ name, value }) => `${name}: ${value}`);
}

export function toSave({ sessionId, options }: Session): Saved {
  return { sessionId, options: options.chosen };
}
