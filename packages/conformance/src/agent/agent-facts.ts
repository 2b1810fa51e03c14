/** What a first, plain conversation shows. It decides what the other scenarios can try, and is the control for what they report. */
export interface AgentFacts {
  /** The response to `initialize` with version 1 is a result. */
  readonly initializes: boolean;
  /** The version that the agent answers to version 1. */
  readonly version: unknown;
  /** `session/new` with plain params opens a session. */
  readonly opensSessions: boolean;
  /** A plain prompt ends with a stop reason. */
  readonly endsTurns: boolean;
  /** Why so little can be tried that the run cannot reach a verdict on its own. */
  readonly blocked?: string;
}

/** What is assumed until the plain conversation has shown more. */
export const unknownAgent: AgentFacts = { initializes: true, version: 1, opensSessions: true, endsTurns: true };

/** The scenarios that say something about an agent that does not initialize, or speaks another version. */
const beforeSessions = new Set(["initialize/agrees-on-version-1", "initialize/unsupported-version", "json-rpc/ids"]);

/** Why a scenario cannot be tried with this agent; nothing where it can. */
export function obstacleTo(scenario: string, facts: AgentFacts): string | undefined {
  if (beforeSessions.has(scenario)) return undefined;
  if (!facts.initializes) return facts.blocked ?? "initialize fails, which is a finding of its own";
  return facts.version === 1 ? undefined : facts.blocked;
}
