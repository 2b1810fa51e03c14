import { isPairMember, isSecretName } from "./secret-names.js";

/**
 * The place of a value, by the members around it.
 *
 * - `plain`: no special place.
 * - `meta`: in a `_meta`, where more names count as those of secrets.
 * - `schema`: the `properties` of a JSON schema: members may be named like secrets, but hold none.
 * - `pairs`: an `env` or a `headers`: a list of `{ name, value }`, or a map.
 * - `pair`: an item of such a list.
 * - `secret`: a secret, with everything in it.
 */
export type Place = "plain" | "meta" | "schema" | "pairs" | "pair" | "secret";

/** Members that name the `value` beside them. */
const nameMembers: ReadonlySet<string> = new Set(["name", "key", "id", "configId", "header", "variable"]);

/** The place of a member. `sibling` is the value of an `isNameMember` beside it. */
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

/** Whether a member names the `value` beside it. */
export function isNameMember(name: string): boolean {
  return nameMembers.has(name);
}
