import { remoteRequirements } from "./remote/remote-transport.js";
import type { Requirement } from "./requirement.js";
import { requirements } from "./requirements.js";
import { draftRequirements } from "./v2/draft.js";

const byId: ReadonlyMap<string, Requirement> = /* @__PURE__ */ new Map(
  [...requirements, ...remoteRequirements, ...draftRequirements].map((each) => [each.id, each]),
);

/** Returns the rule with an id. @throws {TypeError} if there is no such rule. */
export function requirementOf(id: string): Requirement {
  const found = byId.get(id);
  if (!found) throw new TypeError(`There is no requirement with the id ${JSON.stringify(id)}.`);
  return found;
}
