import { isJsonObject } from "@acp-kit/protocol/internal";
import { isArguments, isText, isVariables, type Report } from "./decode-members.js";
import type { AgentDistribution, BinaryTarget, PackageDistribution } from "./registry-document.js";

/** Decodes an agent's distributions; `undefined` if none is supported. Unknown kinds are kept and reported. */
export function decodeDistribution(value: unknown, path: string, report: Report): AgentDistribution | undefined {
  if (!isJsonObject(value)) return undefined;
  const distribution: Record<string, unknown> = {};
  let known = 0;
  for (const [kind, each] of Object.entries(value)) {
    const at = `${path}.${kind}`;
    if (kind !== "npx" && kind !== "uvx" && kind !== "binary") {
      report(at, "unknown kind of distribution; it is ignored");
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
  if (!isJsonObject(value) || !isText(value.package)) {
    report(`${path}.package`, "the package is missing; the distribution is ignored");
    return undefined;
  }
  if (value.cmd !== undefined && !isText(value.cmd)) {
    report(`${path}.cmd`, "expected a string; the distribution is ignored");
    return undefined;
  }
  return hasLaunch(value, path, report) ? (value as unknown as PackageDistribution) : undefined;
}

function decodeBinary(value: unknown, path: string, report: Report): AgentDistribution["binary"] {
  if (!isJsonObject(value)) {
    report(path, "expected an object; the distribution is ignored");
    return undefined;
  }
  const targets = Object.entries(value).flatMap(([platform, target]): [string, BinaryTarget][] => {
    const at = `${path}.${platform}`;
    if (!isJsonObject(target) || !isText(target.archive) || !isText(target.cmd)) {
      report(at, "archive or cmd is missing; the platform is ignored");
      return [];
    }
    if (target.sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(String(target.sha256))) {
      report(`${at}.sha256`, "expected a SHA-256; the platform is ignored");
      return [];
    }
    return hasLaunch(target, at, report) ? [[platform, target as unknown as BinaryTarget]] : [];
  });
  return targets.length === 0 ? undefined : Object.fromEntries(targets);
}

function hasLaunch({ args, env }: Record<string, unknown>, path: string, report: Report): boolean {
  if (args !== undefined && !isArguments(args)) {
    report(`${path}.args`, "expected a list of strings; the distribution is ignored");
    return false;
  }
  if (env !== undefined && !isVariables(env)) {
    report(`${path}.env`, "expected an object of strings; the distribution is ignored");
    return false;
  }
  return true;
}
