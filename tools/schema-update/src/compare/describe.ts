import { isObject } from "../normalize/json.js";
import type { Branch, ScalarBranch, Shape } from "../normalize/shape.js";

/** Describes a shape in a few words, for sentences: `string`, `array of ContentBlock`, `integer (uint32)`. */
export function describe(shape: Shape): string {
  if (shape.branches.length === 0) return "nothing";
  const named = shape.branches.map(describeBranch);
  return named.length > 4 ? `${named.slice(0, 3).join(" or ")} or ${named.length - 3} more` : named.join(" or ");
}

export function describeBranch(branch: Branch): string {
  switch (branch.kind) {
    case "any":
      return "any value";
    case "ref":
      return `\`${branch.name}\``;
    case "array":
      return branch.items === undefined ? "array" : `array of ${describe(branch.items)}`;
    case "string":
    case "integer":
    case "number":
      return describeScalar(branch);
    case "boolean":
      return branch.values === undefined ? "boolean" : quoteAll([...branch.values]);
    case "object":
      return branch.parts[0]?.kind === "ref"
        ? `\`${branch.parts[0].name}\``
        : branch.title === undefined
          ? "object"
          : `\`${branch.title}\``;
    case "opaque":
      return isObject(branch.json) && "const" in branch.json
        ? `\`${JSON.stringify(branch.json.const)}\``
        : "a composed type";
    default:
      return branch.kind;
  }
}

function describeScalar(branch: ScalarBranch): string {
  if (branch.rest === undefined) {
    const values = [...branch.values.keys()];
    return values.length > 4 ? `one of ${values.length} values` : quoteAll(values);
  }
  const format = branch.rest.get("format");
  return typeof format === "string" ? `${branch.kind} (${format})` : branch.kind;
}

/** Formats a list: `` `a`, `b` and `c` `` */
export function quoteAll(values: readonly (string | number | boolean)[]): string {
  return conjunction(values.map((value) => `\`${value}\``));
}

export function conjunction(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
