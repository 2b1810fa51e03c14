import type { Check } from "../scenario.js";
import type { PromptPurpose, Prompts } from "./prompt-purposes.js";

/**
 * The results of a first, plain conversation. They decide which scenarios can run. If a request of a scenario fails,
 * and failed in the plain conversation too, the scenario is inconclusive.
 */
export interface AgentFacts {
  /** The agent's process writes something before it ends. */
  readonly speaks: boolean;
  /** The response to `initialize` with version 1 is a result. */
  readonly initializes: boolean;
  /** The agent speaks version 2: it accepts an `initialize` that satisfies both versions. */
  readonly speaksVersion2: boolean;
  /** The protocol version in the agent's response to `initialize` with version 1. */
  readonly version: unknown;
  /** `session/new` with plain params opens a session. */
  readonly opensSessions: boolean;
  /** A plain prompt ends with a stop reason. */
  readonly endsTurns: boolean;
  /** Why a plain turn failed: the agent may have no model. Scenarios that need a prompt are inconclusive then. */
  readonly turnsFail?: string;
  /** The reason why too few scenarios can run for a verdict. */
  readonly blocked?: string;
}

/** The facts before the plain conversation has run. */
export const unknownAgent: AgentFacts = {
  speaks: true,
  initializes: true,
  speaksVersion2: false,
  version: 1,
  opensSessions: true,
  endsTurns: true,
};

/** The scenarios that also run for an agent whose `initialize` fails, or that uses another version. */
const beforeSessions = new Set(["initialize/agrees-on-version-1", "initialize/unsupported-version", "json-rpc/ids"]);

/** Returns why a scenario cannot run with this agent and these prompts, or `undefined` if it can run. */
export function obstacleTo(
  { id, needs = [] }: Pick<Check, "id" | "needs">,
  facts: AgentFacts,
  prompts: Prompts,
): string | undefined {
  if (!facts.speaks) return facts.blocked ?? "the agent's process ends immediately";
  if (beforeSessions.has(id) || id.startsWith("version-2/")) return undefined;
  if (!facts.initializes) return facts.blocked ?? "initialize fails, which the report shows as a separate finding";
  if (facts.version !== 1) return facts.blocked;
  const purposes = needs.flatMap(promptNeeds);
  // A scenario without a prompt for any of its purposes skips itself, whether the agent has a model or not.
  return purposes.some((purpose) => prompts[purpose] !== undefined) ? facts.turnsFail : undefined;
}

/** Returns the purposes in an entry of `needs`: `prompt: read or write` contains two. */
function promptNeeds(need: string): readonly PromptPurpose[] {
  const [kind, purposes = ""] = need.split(": ");
  return kind === "prompt" ? (purposes.split(/, | or /) as PromptPurpose[]) : [];
}
