import type { Model } from "../normalize/model.js";
import type { Branch, Shape } from "../normalize/shape.js";
import { type Comparison, type Place, report } from "./comparison.js";
import { describeBranch } from "./describe.js";
import { type Resolved, resolve } from "./effective.js";
import { overlap } from "./exclusive.js";

/**
 * Reports alternatives whose order has changed. The first match counts, so a value that matches two alternatives is then decoded as the
 * other alternative. If no value matches both, the order has no effect.
 */
export function compareOrder(comparison: Comparison, place: Place, a: Shape, b: Shape): void {
  if (a.keyword === "oneOf" && b.keyword === "oneOf") return;
  const after = orderOf(comparison.after, b);
  const before = orderOf(comparison.before, a).filter(({ key }) => after.some((one) => one.key === key));
  const position = new Map(after.map(({ key }, index) => [key, index]));
  const at = (key: string): number => position.get(key) ?? -1;
  for (const [index, first] of before.entries()) {
    for (const second of before.slice(index + 1)) {
      if (at(first.key) < at(second.key) || !overlaps(comparison.before, first.resolved, second.resolved)) continue;
      report(place, {
        code: "order",
        effect: "decoder",
        decoding: "different",
        what: `decodes a value that matches both ${second.name} and ${first.name} as ${second.name} now; previously as ${first.name}`,
      });
    }
  }
}

interface Alternative {
  readonly key: string;
  readonly name: string;
  readonly resolved: readonly Resolved[];
}

function orderOf(model: Model, shape: Shape): readonly Alternative[] {
  return shape.branches.map((branch) => ({
    key: keyOf(branch),
    name: branch.title === undefined ? describeBranch(branch) : `\`${branch.title}\``,
    resolved: resolve(model, { ...shape, branches: [branch] }),
  }));
}

/** Returns a key that identifies an alternative in both files: its shape, or its title. */
function keyOf(branch: Branch): string {
  if (branch.kind === "ref") return `ref ${branch.name}`;
  const payload = branch.kind === "object" ? branch.parts.find(({ kind }) => kind === "ref") : undefined;
  if (payload?.kind === "ref") return `ref ${payload.name}`;
  return `${branch.kind} ${branch.title ?? describeBranch(branch)}`;
}

function overlaps(model: Model, a: readonly Resolved[], b: readonly Resolved[]): boolean {
  return a.some((one) => b.some((other) => overlap(model, one.branch, other.branch)));
}
