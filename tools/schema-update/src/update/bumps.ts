import type { ChangeClass } from "../classify/change.js";
import type { SchemaDiff, SourceDiff } from "../diff-sources.js";
import { schemaName } from "../report/markdown.js";
import type { WorkspacePackage } from "./packages.js";

export type Bump = "major" | "minor" | "patch";

/** The packages that generated code is published in: everything in one, what is stable in the other, which it re-exports. */
export const schemaPackageName = "@acp-kit/schema";
export const typesPackageName = "@acp-kit/types";

/**
 * How far each package has to move for a new schema.
 *
 * | what changed                                         | `@acp-kit/schema`          |
 * | ---------------------------------------------------- | -------------------------- |
 * | stable v1, breaking                                  | major (minor while 0.x)    |
 * | stable v1, additive or decoder behaviour             | minor                      |
 * | unstable or v2, breaking, additive or decoder        | minor: they may change in a minor release |
 * | annotations, documentation, bytes alone              | patch                      |
 *
 * `@acp-kit/types` moves in the same steps, for what is stable alone. A package that builds on them is named only when the interfaces generated for an entry point that it imports are
 * touched: methods came, went or changed hands, or something in it breaks. The others get the patch that changesets
 * gives every dependent.
 */
export function bumpsFor(diff: SourceDiff, packages: readonly WorkspacePackage[]): ReadonlyMap<string, Bump> {
  const bumps = new Map<string, Bump>();
  for (const { name, version, imports } of packages) {
    const felt = diff.schemas.filter((schema) => {
      if (name === schemaPackageName) return true;
      if (name === typesPackageName) return schema.stability === "stable" && schema.class !== "none";
      return imports.has(schemaName(schema)) && touchesInterfaces(schema);
    });
    if (felt.length === 0) continue;
    const steps = felt.map((schema) => bumpFor(schema, version));
    bumps.set(name, steps.includes("major") ? "major" : steps.includes("minor") ? "minor" : "patch");
  }
  return bumps;
}

function bumpFor(schema: SchemaDiff, version: string): Bump {
  const felt: readonly ChangeClass[] = ["breaking", "additive", "decoder behaviour"];
  if (!felt.includes(schema.class)) return "patch";
  const promised = schema.protocolVersion === 1 && schema.stability === "stable";
  return schema.class === "breaking" && promised && !version.startsWith("0.") ? "major" : "minor";
}

function touchesInterfaces(schema: SchemaDiff): boolean {
  return schema.methods.length > 0 || schema.class === "breaking";
}
