import { remoteRequirements } from "../areas/remote-transport/rules.js";
import { version2Rules } from "../areas/version-2/rules.js";
import type { Requirement } from "./requirement.js";
import { requirements } from "./requirements.js";

const byId: ReadonlyMap<string, Requirement> = /* @__PURE__ */ new Map(
  [...requirements, ...remoteRequirements, ...version2Rules].map((each) => [each.id, each]),
);

/** Returns the rule with an id. @throws {TypeError} if there is no such rule. */
export function requirementOf(id: string): Requirement {
  const found = byId.get(id);
  if (!found) throw new TypeError(`There is no requirement with the id ${JSON.stringify(id)}.`);
  return found;
}
