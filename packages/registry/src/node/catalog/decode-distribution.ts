import { isArguments, isObject, isText, isVariables, type Report } from "./decode-members.js";
import type { AgentDistribution, BinaryTarget, PackageDistribution } from "./registry-document.js";

/** Decodes the distributions; `undefined` if none is understood. Kinds of later revisions are kept, and reported. */
export function decodeDistribution(value: unknown, path: string, report: Report): AgentDistribution | undefined {
  if (!isObject(value)) return undefined;
  const distribution: Record<string, unknown> = {};
  let known = 0;
  for (const [kind, each] of Object.entries(value)) {
    const at = `${path}.${kind}`;
    if (kind !== "npx" && kind !== "uvx" && kind !== "binary") {
      report(at, "this kind of distribution is not known; it is not used");
      distribution[kind] = each;
      continue;
    }
    const decoded = kind === "binary" ? decodeBinary(each, at, report) : decodePackage(each, at, report);
    if (decoded === undefined) continue;
    distribution[kind] = decoded;
    known += 1;
  }
  return known === 0 ? undefined : (distribution as AgentDistribution);
}

function decodePackage(value: unknown, path: string, report: Report): PackageDistribution | undefined {
  if (!isObject(value) || !isText(value.package)) {
    report(`${path}.package`, "there is no package; it is not used");
    return undefined;
  }
  if (value.cmd !== undefined && !isText(value.cmd)) {
    report(`${path}.cmd`, "it is not a text; the package is not used");
    return undefined;
  }
  return hasLaunch(value, path, report) ? (value as unknown as PackageDistribution) : undefined;
}

function decodeBinary(value: unknown, path: string, report: Report): AgentDistribution["binary"] {
  if (!isObject(value)) {
    report(path, "it is not an object; it is not used");
    return undefined;
  }
  const targets = Object.entries(value).flatMap(([platform, target]): [string, BinaryTarget][] => {
    const at = `${path}.${platform}`;
    if (!isObject(target) || !isText(target.archive) || !isText(target.cmd)) {
      report(at, "there is no archive or no cmd; it is not used");
      return [];
    }
    if (target.sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(String(target.sha256))) {
      report(`${at}.sha256`, "it is not a SHA-256; the archive is not used");
      return [];
    }
    return hasLaunch(target, at, report) ? [[platform, target as unknown as BinaryTarget]] : [];
  });
  return targets.length === 0 ? undefined : Object.fromEntries(targets);
}

function hasLaunch({ args, env }: Record<string, unknown>, path: string, report: Report): boolean {
  if (args !== undefined && !isArguments(args)) {
    report(`${path}.args`, "they are not a list of texts; it is not used");
    return false;
  }
  if (env !== undefined && !isVariables(env)) {
    report(`${path}.env`, "they are not texts by name; it is not used");
    return false;
  }
  return true;
}
