import type { Method } from "../normalize/methods.js";
import type { Model } from "../normalize/model.js";
import { anything } from "../normalize/shape.js";
import type { Comparison } from "./comparison.js";
import { alternatives, resolve } from "./effective.js";

/** Finds the new method that seems to replace a removed one, by the members of its params. */
export function heirOf(comparison: Comparison, gone: Method, fresh: readonly Method[]): Method | undefined {
  const likeness = (method: Method): number => {
    if (method.side !== gone.side || method.kind !== gone.kind) return 0;
    if (gone.params === undefined || method.params === undefined) return 0;
    return gone.params === method.params ? 1 : memberLikeness(comparison, gone.params, method.params);
  };
  const [heir] = fresh.filter((one) => likeness(one) >= 0.6).sort((a, b) => likeness(b) - likeness(a));
  return heir;
}

/** Returns the share of members that two definitions have in common, without members that every method has. */
function memberLikeness(comparison: Comparison, before: string, after: string): number {
  const [a, b] = [membersOf(comparison.before, before), membersOf(comparison.after, after)];
  const common = [...a].filter((name) => b.has(name));
  return common.some((name) => name !== "sessionId") ? common.length / new Set([...a, ...b]).size : 0;
}

function membersOf(model: Model, name: string): ReadonlySet<string> {
  const objects = resolve(model, model.shape(name) ?? anything).flatMap(({ branch }) =>
    branch.kind === "object" ? alternatives(model, branch) : [],
  );
  return new Set(objects.flatMap(({ object }) => [...object.members.keys()]).filter((member) => member !== "_meta"));
}
