import type { Requirement } from "./requirement.js";
import { requirements } from "./requirements.js";

const byId: ReadonlyMap<string, Requirement> = /* @__PURE__ */ new Map(requirements.map((each) => [each.id, each]));

/** The rule of an id of ours. @throws {TypeError} when there is none, because then a scenario cites what doesn't exist. */
export function requirementOf(id: string): Requirement {
  const found = byId.get(id);
  if (!found) throw new TypeError(`There is no requirement with the id ${JSON.stringify(id)}.`);
  return found;
}
