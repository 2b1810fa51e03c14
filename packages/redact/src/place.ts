import { isPairMember, isSecretName } from "./secret-names.js";

/**
 * What the members around a value say of it.
 *
 * - `plain`: nothing.
 * - `meta`: it is in a `_meta`, where more names are taken for those of secrets.
 * - `schema`: it is the `properties` of a JSON schema: its members are named for secrets, and hold none.
 * - `pairs`: it is an `env` or a `headers`: a list of `{ name, value }`, or a map.
 * - `pair`: it is one of that list.
 * - `secret`: it is one, with all that it holds.
 */
export type Place = "plain" | "meta" | "schema" | "pairs" | "pair" | "secret";

/** Members that say what a `value` beside them is. */
const nameMembers: ReadonlySet<string> = new Set(["name", "key", "id", "configId", "header", "variable"]);

/** The place of a member. `sibling` is what an `isNameMember` beside it says. */
export function placeOfMember(place: Place, name: string, sibling: string): Place {
  if (place === "secret" || place === "pairs") return "secret";
  if (place === "pair") return isNameMember(name) || name === "type" ? "plain" : "secret";
  if (place === "schema") return "plain";
  if (isPairMember(name)) return "pairs";
  if (isSecretName(name, place === "meta")) return "secret";
  if (name === "value" && isSecretName(sibling)) return "secret";
  if (name === "_meta") return "meta";
  if (name === "properties") return "schema";
  return place;
}

/** The place of an item of a list. */
export function placeOfItem(place: Place): Place {
  return place === "pairs" ? "pair" : place;
}

/** Whether a member says what the `value` beside it is. */
export function isNameMember(name: string): boolean {
  return nameMembers.has(name);
}
