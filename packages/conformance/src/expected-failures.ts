import { agentScenarios, agentWatches } from "./agent/agent-checks.js";
import { remoteScenarios } from "./areas/remote-transport/server.js";
import { version2AgentWatches, version2Scenarios } from "./areas/version-2/agent.js";
import { version2ClientScenarios, version2ClientWatches } from "./areas/version-2/client.js";
import { clientScenarios, clientWatches } from "./client/client-checks.js";
import type { Role } from "./requirements/requirement.js";
import type { Check } from "./scenario.js";

const checks: Readonly<Record<Role, readonly Check[]>> = {
  agent: [...agentScenarios, ...agentWatches, ...version2Scenarios, ...version2AgentWatches, ...remoteScenarios],
  client: [...clientScenarios, ...clientWatches, ...version2ClientScenarios, ...version2ClientWatches],
};

/**
 * Returns a sentence about the first of these expected failures that can never happen: no check for peers of this role
 * has the id or verifies the rule. Returns `undefined` if there is none.
 */
export function unknownExpectedFailure(role: Role, ids: readonly string[]): string | undefined {
  const known = new Set(checks[role].flatMap(({ id, verifies }) => [id, ...verifies]));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return undefined;
  const shown = JSON.stringify(unknown.slice(0, 100));
  return `no check for ${role}s has the id ${shown} or verifies a rule with that id. Similar ids: ${similar(unknown, known).join(", ")}.`;
}

/** The number of similar ids in a message. */
const SIMILAR_IDS = 3;

/** Returns the ids that share the most pairs of adjacent characters with a text. */
function similar(text: string, ids: ReadonlySet<string>): string[] {
  const wanted = pairsOf(text.slice(0, 100));
  const score = (id: string): number => {
    const pairs = pairsOf(id);
    const shared = [...pairs].filter((pair) => wanted.has(pair)).length; // `Set.intersection` needs Node 22
    return shared / (pairs.size + wanted.size - shared);
  };
  return [...ids]
    .map((id) => ({ id, score: score(id) }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .slice(0, SIMILAR_IDS)
    .map(({ id }) => id);
}

function pairsOf(text: string): ReadonlySet<string> {
  const letters = ` ${text.toLowerCase()} `;
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
}
