// The one table of the names and places of secrets, for `redactSecrets` and for `@acp-kit/redact`.

/** The text that replaces a secret. */
export const REDACTED = "[redacted]";

/**
 * Matches the names of members whose values are environment variables or HTTP headers, as lists of `{ name, value }` or
 * as maps.
 */
const pairMember =
  /^(?:env|envs|environment|env_?vars|environment_?variables|(?:http_?|request_?|response_?|extra_?)?headers)$/i;

/**
 * The words for a secret. Every pattern of names is made from them: of members, flags, variables and assignments. `pwd`
 * is not among them, because in a text it is usually the working directory.
 */
export const SECRET_WORDS: string =
  "token|secret|password|passwd|passphrase|authorization|bearer|cookie|credentials?|(?:api|access|private|secret|signing|encryption|session|license|auth)[-_ ]?key";

/**
 * Matches names that end in a word for a secret, such as `apiKey`, `GITHUB_TOKEN` or `client_secret`, but not
 * `inputTokens`.
 */
const secretName = new RegExp(`(?:${SECRET_WORDS}|pwd)$`, "i");

/**
 * Matches names with a word for a secret anywhere in them. It is used for members of `_meta`, which no specification
 * defines.
 */
const metaSecretName = new RegExp(`${SECRET_WORDS}|pwd`, "i");

/** Variables of a shell with its working directory. */
const workingDirectory = /^(?:OLD)?PWD$/;

/** A text of this length or longer is never the name of a secret. The limit bounds the time of the patterns. */
const MAX_NAME = 200;

/** Returns whether a value of this name is a secret. */
export function isSecretName(name: string, inMeta = false): boolean {
  if (name.length >= MAX_NAME || workingDirectory.test(name)) return false;
  return (inMeta ? metaSecretName : secretName).test(name);
}

/**
 * The place of a value in a message, which is determined by the members around the value.
 *
 * - `plain`: no special place.
 * - `meta`: in a `_meta`, where more names count as names of secrets.
 * - `schema`: in the `properties` of a JSON schema. The schemas there can have names of secrets, but don't contain
 *   secrets.
 * - `pairs`: in the value of a member such as `env` or `headers`, which is a list of `{ name, value }` or an object
 *   `{ name: value }`.
 * - `pair`: in an item of such a list.
 * - `secret`: the value is a secret, with everything in it.
 */
export type Place = "plain" | "meta" | "schema" | "pairs" | "pair" | "secret";

/** The names of members that name the member `value` of the same object, as in `{ name: "API_KEY", value: "X" }`. */
const nameMembers: ReadonlySet<string> = new Set(["name", "key", "id", "configId", "header", "variable"]);

/** Returns whether a member of this name, such as `key`, names the member `value` of the same object. */
export function isNameMember(name: string): boolean {
  return nameMembers.has(name);
}

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
  if (name.length < MAX_NAME && pairMember.test(name)) return "pairs";
  if (isSecretName(name, place === "meta")) return "secret";
  if (name === "value" && isSecretName(sibling)) return "secret";
  if (name === "_meta") return "meta";
  if (name === "properties") return "schema";
  return place === "schema" ? "plain" : place;
}

/** Returns the place of a member of a parsed object. */
export function placeInObject(place: Place, name: string, holder: Readonly<Record<string, unknown>>): Place {
  const value = holder[name];
  const sibling = name === "value" ? secretNameIn(holder) : "";
  return placeOfMember(place, name, { sibling, isObject: typeof value === "object" && !Array.isArray(value) });
}

/** Returns the place of an item of a list. */
export function placeOfItem(place: Place): Place {
  return place === "pairs" ? "pair" : place;
}

/** Returns the text that names the member `value` of an object, if it is the name of a secret; otherwise `""`. */
function secretNameIn(holder: Readonly<Record<string, unknown>>): string {
  for (const [member, value] of Object.entries(holder)) {
    if (isNameMember(member) && typeof value === "string" && isSecretName(value)) return value;
  }
  return "";
}
