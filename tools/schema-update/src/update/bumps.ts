import { type SchemaDiff, type SourceDiff, schemaName } from "../diff-sources.js";
import { type Effect, gravest } from "../difference.js";
import type { WorkspacePackage } from "./packages.js";

export type Bump = "major" | "minor" | "patch";

/** The generated code: `@acp-kit/types` has the stable code, `@acp-kit/schema` re-exports it and adds the rest. */
export const schemaPackageName = "@acp-kit/schema";
export const typesPackageName = "@acp-kit/types";

/**
 * Returns the version bump of each package for a new schema.
 *
 * | what changed                                              | `@acp-kit/schema`          |
 * | --------------------------------------------------------- | -------------------------- |
 * | stable v1: breaking, or an export renamed or removed      | major (minor while 0.x)    |
 * | stable v1: additive or decoder behaviour                  | minor                      |
 * | unstable or v2: any of these                              | minor: they may change in a minor release |
 * | documentation, bytes alone                                | patch                      |
 *
 * `@acp-kit/types` gets the same bumps, but only for changes of the stable schemas. A dependent package gets a bump of
 * its own only if it re-exports a renamed or removed name, or if an interface of an entry point that it imports
 * changes: a method was added, removed or changed, or a message breaks. Other dependent packages get the patch bump
 * that the tool changesets gives to every dependent package.
 */
export function bumpsFor(diff: SourceDiff, packages: readonly WorkspacePackage[]): ReadonlyMap<string, Bump> {
  const bumps = new Map<string, Bump>();
  for (const one of packages) {
    const steps = diff.schemas.flatMap((schema) => stepFor(schema, one) ?? []);
    if (steps.length === 0) continue;
    bumps.set(one.name, steps.includes("major") ? "major" : steps.includes("minor") ? "minor" : "patch");
  }
  return bumps;
}

function stepFor(schema: SchemaDiff, { name, version, imports, reexports }: WorkspacePackage): Bump | undefined {
  if (schema.effect === "none") return undefined;
  if (name === schemaPackageName) return bumpFor(schema, schema.effect, version);
  if (name === typesPackageName)
    return schema.stability === "stable" ? bumpFor(schema, schema.effect, version) : undefined;
  const entry = schemaName(schema);
  const gone = schema.differences.filter(({ effect }) => effect === "api").map(({ path }) => path);
  const own = reexports.get(entry);
  if (own !== undefined && gone.some((one) => own.has("*") || own.has(one.split(".")[0] ?? one)))
    return bumpFor(schema, "api", version);
  const felt = schema.differences.filter(({ effect, code }) => effect === "breaking" || code.startsWith("method-"));
  return imports.has(entry) && felt.length > 0 ? bumpFor(schema, gravest(felt), version) : undefined;
}

function bumpFor({ protocolVersion, stability }: SchemaDiff, effect: Effect, version: string): Bump {
  if (effect === "documentation") return "patch";
  const promised = protocolVersion === 1 && stability === "stable";
  const breaks = effect === "breaking" || effect === "api";
  return breaks && promised && !version.startsWith("0.") ? "major" : "minor";
}
