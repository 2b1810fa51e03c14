/** The results of a first, plain conversation. They decide which scenarios can run, and are the control for their findings. */
export interface AgentFacts {
  /** Its process writes something before it ends. */
  readonly speaks: boolean;
  /** The response to `initialize` with version 1 is a result. */
  readonly initializes: boolean;
  /** The version in the agent's response to version 1. */
  readonly version: unknown;
  /** `session/new` with plain params opens a session. */
  readonly opensSessions: boolean;
  /** A plain prompt ends with a stop reason. */
  readonly endsTurns: boolean;
  /** Why too few scenarios can run for a verdict. */
  readonly blocked?: string;
}

/** The facts before the plain conversation has run. */
export const unknownAgent: AgentFacts = {
  speaks: true,
  initializes: true,
  version: 1,
  opensSessions: true,
  endsTurns: true,
};

/** The scenarios that apply to an agent that does not initialize, or speaks another version. */
const beforeSessions = new Set(["initialize/agrees-on-version-1", "initialize/unsupported-version", "json-rpc/ids"]);

/** Returns why a scenario cannot run with this agent; `undefined` where it can. */
export function obstacleTo(scenario: string, facts: AgentFacts): string | undefined {
  if (!facts.speaks) return facts.blocked ?? "the agent's process ends at once";
  if (beforeSessions.has(scenario) || scenario.startsWith("draft/")) return undefined;
  if (!facts.initializes) return facts.blocked ?? "initialize fails, which is a finding of its own";
  return facts.version === 1 ? undefined : facts.blocked;
}
