import { isJsonObject } from "@acp-kit/protocol/internal";
import { RegistryError } from "../errors.js";
import { decodeAgent } from "./decode-agent.js";
import type { Report } from "./decode-members.js";
import type { RegistryAgent, RegistryDocument, RegistryProblem } from "./registry-document.js";

/** Maximum number of agents per registry. */
export const maxAgents = 5_000;
/** Maximum number of reported problems per registry. */
export const maxProblems = 100;

/** A decoded registry, and the reasons why parts of it are ignored. */
export interface DecodedRegistry {
  readonly document: RegistryDocument;
  readonly problems: readonly RegistryProblem[];
}

/**
 * Decodes the index of a registry, in every known revision of the format. Ignores and reports agents that can't be
 * used. If the registry has a later version than 1, reports this, and decodes the parts that it knows.
 *
 * @throws {RegistryError} `invalid_registry` when the value has no list of agents.
 */
export function decodeRegistry(value: unknown): DecodedRegistry {
  if (!isJsonObject(value) || !Array.isArray(value.agents)) {
    throw new RegistryError("invalid_registry", "This is not a registry: the list `agents` is missing.");
  }
  const problems: RegistryProblem[] = [];
  const report: Report = (path, message) => {
    if (problems.length < maxProblems) problems.push({ path, message });
  };
  const version = readVersion(value.version, report);
  if (value.agents.length > maxAgents) {
    report("agents", `there are ${value.agents.length} agents; only the first ${maxAgents} are used`);
  }
  const agents = new Map<string, RegistryAgent>();
  for (const [index, each] of value.agents.slice(0, maxAgents).entries()) {
    const path = `agents[${index}]`;
    const agent = decodeAgent(each, path, report);
    if (agent === undefined) continue;
    if (agents.has(agent.id)) report(path, `the id "${agent.id}" appears twice; the first agent is used`);
    else agents.set(agent.id, agent);
  }
  return { document: { ...value, version, agents: [...agents.values()] }, problems };
}

function readVersion(version: unknown, report: Report): string {
  if (typeof version !== "string" || !/^\d{1,9}\./.test(version)) {
    report("version", "the version is missing; the registry is decoded as version 1");
    return "1.0.0";
  }
  if (Number.parseInt(version, 10) > 1) {
    report("version", `the version ${version} is later than 1, the supported version; unknown parts are ignored`);
  }
  return version;
}
