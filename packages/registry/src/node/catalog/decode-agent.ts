import { isJsonObject } from "@acp-kit/protocol/internal";
import { decodeDistribution } from "./decode-distribution.js";
import { isText, type Report } from "./decode-members.js";
import type { RegistryAgent } from "./registry-document.js";

const ids = /^[a-z][a-z0-9-]{0,127}$/;
/** The form of a version: three numbers. Earlier revisions of the format allow a suffix. */
const versions = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+.][0-9A-Za-z.+-]{1,128})?$/;
const optionalTexts = ["repository", "website", "license", "license_url", "icon"] as const;

/** Returns whether a text is a valid id of an agent. The id is also the name of the agent's folder. */
export function isAgentId(text: string): boolean {
  return ids.test(text);
}

/** Returns whether a text is a valid version of an agent. */
export function isAgentVersion(text: unknown): text is string {
  return typeof text === "string" && versions.test(text);
}

/**
 * Decodes the entry of an agent in a registry. Returns `undefined` and reports a problem if the agent can't be used.
 * Reports and omits optional members of a wrong type.
 */
export function decodeAgent(value: unknown, path: string, report: Report): RegistryAgent | undefined {
  const skip = (at: string, why: string): undefined =>
    report(`${path}${at}`, `${why}; the agent is ignored`) as undefined;
  if (!isJsonObject(value)) return skip("", "expected an object");
  const { id, name, description, version } = value;
  if (typeof id !== "string" || !isAgentId(id))
    return skip(".id", "expected an id of lower-case letters, digits and hyphens");
  if (!isText(name)) return skip(".name", `"${id}" has no name`);
  if (!isAgentVersion(version)) return skip(".version", `the version of "${id}" does not have three numbers`);
  const distribution = decodeDistribution(value.distribution, `${path}.distribution`, report);
  if (distribution === undefined) return skip(".distribution", `"${id}" has no supported distribution`);
  const agent: Record<string, unknown> = {
    ...value,
    distribution,
    description: isText(description) ? description : "",
  };
  for (const member of optionalTexts) {
    if (agent[member] === undefined || isText(agent[member])) continue;
    report(`${path}.${member}`, "expected a string; the member is ignored");
    delete agent[member];
  }
  if (agent.authors !== undefined && !(Array.isArray(agent.authors) && agent.authors.every(isText))) {
    report(`${path}.authors`, "expected a list of strings; the member is ignored");
    delete agent.authors;
  }
  if (agent.preview !== undefined) {
    const preview = decodePreview(agent.preview, `${path}.preview`, report);
    if (preview === undefined) delete agent.preview;
    else agent.preview = preview;
  }
  return agent as unknown as RegistryAgent;
}

function decodePreview(value: unknown, path: string, report: Report): RegistryAgent["preview"] {
  const distribution = isJsonObject(value)
    ? decodeDistribution(value.distribution, `${path}.distribution`, report)
    : undefined;
  if (isJsonObject(value) && isAgentVersion(value.version) && distribution !== undefined) {
    return { ...value, version: value.version, distribution };
  }
  report(path, "the version or the distribution is missing; the pre-release is ignored");
  return undefined;
}
