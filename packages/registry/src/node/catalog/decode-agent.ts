import { decodeDistribution } from "./decode-distribution.js";
import { isObject, isText, type Report } from "./decode-members.js";
import type { RegistryAgent } from "./registry-document.js";

const ids = /^[a-z][a-z0-9-]{0,127}$/;
/** All revisions: three numbers; earlier ones allow a suffix. */
const versions = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+.][0-9A-Za-z.+-]{1,128})?$/;
const optionalTexts = ["repository", "website", "license", "license_url", "icon"] as const;

/** Whether a text can be the id of an agent, which also names its folder. */
export function isAgentId(text: string): boolean {
  return ids.test(text);
}

/** Whether a text is a version that the registry allows, which also names a folder. */
export function isAgentVersion(text: unknown): text is string {
  return typeof text === "string" && versions.test(text);
}

/** Decodes an agent; `undefined`, and reported, if it can't be used. Optional members of a wrong type are left out and reported. */
export function decodeAgent(value: unknown, path: string, report: Report): RegistryAgent | undefined {
  const skip = (at: string, why: string): undefined =>
    report(`${path}${at}`, `${why}; the agent is left out`) as undefined;
  if (!isObject(value)) return skip("", "it is not an object");
  const { id, name, description, version } = value;
  if (typeof id !== "string" || !isAgentId(id))
    return skip(".id", "the id is not of lower case letters, digits and hyphens");
  if (!isText(name)) return skip(".name", `"${id}" has no name`);
  if (!isAgentVersion(version)) return skip(".version", `the version of "${id}" is not of three numbers`);
  const distribution = decodeDistribution(value.distribution, `${path}.distribution`, report);
  if (distribution === undefined) return skip(".distribution", `"${id}" has no distribution that is understood`);
  const agent: Record<string, unknown> = {
    ...value,
    distribution,
    description: isText(description) ? description : "",
  };
  for (const member of optionalTexts) {
    if (agent[member] === undefined || isText(agent[member])) continue;
    report(`${path}.${member}`, "it is not a text; it is left out");
    delete agent[member];
  }
  if (agent.authors !== undefined && !(Array.isArray(agent.authors) && agent.authors.every(isText))) {
    report(`${path}.authors`, "it is not a list of texts; it is left out");
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
  const distribution = isObject(value)
    ? decodeDistribution(value.distribution, `${path}.distribution`, report)
    : undefined;
  if (isObject(value) && isAgentVersion(value.version) && distribution !== undefined) {
    return { ...value, version: value.version, distribution };
  }
  report(path, "it has no version or no distribution; it is left out");
  return undefined;
}
