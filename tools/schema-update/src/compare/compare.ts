import { byImportance, type Difference } from "../difference.js";
import type { Model } from "../model.js";
import { compareDocumentation } from "./compare-documentation.js";
import { compareExports } from "./compare-exports.js";
import { compareMethods } from "./compare-methods.js";
import { TypeComparison } from "./compare-types.js";
import { gateFinder } from "./find-gate.js";
import { judge } from "./judge.js";

/**
 * Compares what the generator makes of two schemas: methods with their gates, the types of messages, documentation, and
 * the exports of the generated code. The list is empty only if the same types and decoders are generated.
 */
export function compareModels(before: Model, after: Model): readonly Difference[] {
  if (before === after) return [];
  const types = new TypeComparison(before.ir, after.ir);
  const methods = compareMethods(types, before, after);
  for (const [name, node] of before.errorIds) {
    const now = after.errorIds.get(name);
    const [writer, reader] = name.startsWith("Agent") ? (["agent", "client"] as const) : (["client", "agent"] as const);
    const place = {
      definition: name,
      path: name,
      recovers: false,
      nullIsEmpty: false,
      direction: { writer, reader },
      method: "",
    };
    if (now !== undefined) types.compare(place, node, now);
  }
  const exports =
    before.exports === undefined || after.exports === undefined
      ? compareExports(namesOf(before), namesOf(after), types.renamed)
      : compareExports(before.exports, after.exports, types.renamed);
  return [
    ...methods,
    ...judge(types.findings.all(), gateFinder(after)),
    ...compareDocumentation(before.ir.definitions, after.ir.definitions, types.renamed),
    ...exports,
  ].sort(byImportance);
}

/** If the generator reads only another spelling of a file, the definitions are its exports. */
function namesOf({ ir }: Model): ReadonlyMap<string, string> {
  return new Map([...ir.definitions.keys()].map((name) => [name, ""]));
}
