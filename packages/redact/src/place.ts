import { isPairMember, isSecretName } from "./secret-names.js";

/**
 * The place of a value in a message, which is determined by the members around the value.
 *
 * - `plain`: no special place.
 * - `meta`: in a `_meta`, where more names count as names of secrets.
 * - `schema`: in the `properties` of a JSON schema. The schemas there can have names of secrets, but don't contain secrets.
 * - `pairs`: in the value of a member such as `env` or `headers`, which is a list of `{ name, value }` or an object `{
 *   name: value }`.
 * - `pair`: in an item of such a list.
 * - `secret`: the value is a secret, with everything in it.
 */
export type Place = "plain" | "meta" | "schema" | "pairs" | "pair" | "secret";

/** The names of members that name the member `value` of the same object, as in `{ name: "API_KEY", value: "X" }`. */
const nameMembers: ReadonlySet<string> = new Set(["name", "key", "id", "configId", "header", "variable"]);

/** The parts of an object that {@link placeOfMember} needs in addition to the name of the member. */
export interface MemberSetting {
  /** The text that names the member `value`, such as `API_KEY` in `{ name: "API_KEY", value: "X" }`, or `""`. */
  readonly sibling: string;
  /** Whether the value of the member is an object, and not a list. */
  readonly isObject: boolean;
}

/** Returns the place of a member of an object. */
export function placeOfMember(place: Place, name: string, { sibling, isObject }: MemberSetting): Place {
  if (place === "secret" || place === "pairs") return "secret";
  if (place === "pair") return isNameMember(name) || name === "type" ? "plain" : "secret";
  if (place === "schema" && isObject) return "plain";
  if (isPairMember(name)) return "pairs";
  if (isSecretName(name, place === "meta")) return "secret";
  if (name === "value" && isSecretName(sibling)) return "secret";
  if (name === "_meta") return "meta";
  if (name === "properties") return "schema";
  return place === "schema" ? "plain" : place;
}

/** Returns the place of an item of a list. */
export function placeOfItem(place: Place): Place {
  return place === "pairs" ? "pair" : place;
}

/** Returns whether a member of this name, such as `key`, names the member `value` of the same object. */
export function isNameMember(name: string): boolean {
  return nameMembers.has(name);
}
