/** The text that replaces a secret. */
export const REDACTED = "[redacted]";

/** Matches the names of members whose values are environment variables or HTTP headers, as lists of `{ name, value }` or as maps. */
const pairMember =
  /^(?:env|envs|environment|env_?vars|environment_?variables|(?:http_?|request_?|response_?|extra_?)?headers)$/i;

/**
 * The words for a secret. Every pattern of names is made from them: of members, flags, variables and assignments. `pwd`
 * is not among them, because in a text it is usually the working directory.
 */
export const SECRET_WORDS: string =
  "token|secret|password|passwd|passphrase|authorization|bearer|cookie|credentials?|(?:api|access|private|secret|signing|encryption|session|license|auth)[-_ ]?key";

/** Matches names that end in a word for a secret, such as `apiKey`, `GITHUB_TOKEN` or `client_secret`, but not `inputTokens`. */
const secretName = new RegExp(`(?:${SECRET_WORDS}|pwd)$`, "i");

/** Matches names with a word for a secret anywhere in them. It is used for members of `_meta`, which no specification defines. */
const metaSecretName = new RegExp(`${SECRET_WORDS}|pwd`, "i");

/** Matches flags whose value is a secret. The value is the next word or the text after `=`. */
const secretFlag = new RegExp(`^--?(?:[\\w-]*[-_])?(?:${SECRET_WORDS}|pwd|pass|auth|key)$`, "i");

/** Matches query parameters of a URL that contain a secret although their name contains no word such as `token`. */
const secretParameter = /^(?:sig|signature|x-amz-signature|x-goog-signature|code|key|auth|jwt|pass|pwd|sid)$/i;

/** Variables of a shell with its working directory. */
const workingDirectory = /^(?:OLD)?PWD$/;

/** A text of this length or longer is never the name of a secret. The limit bounds the time of the patterns. */
const MAX_NAME = 200;

/** Returns whether a member of this name contains environment variables or headers. */
export function isPairMember(name: string): boolean {
  return name.length < MAX_NAME && pairMember.test(name);
}

/** Returns whether a value of this name is a secret. */
export function isSecretName(name: string, inMeta = false): boolean {
  if (name.length >= MAX_NAME || workingDirectory.test(name)) return false;
  return (inMeta ? metaSecretName : secretName).test(name);
}

/** Returns whether this word of a command line is a flag whose value is a secret. */
export function isSecretFlag(word: string): boolean {
  return word.length < MAX_NAME && secretFlag.test(word);
}

/** Returns whether the value of a query parameter of this name is a secret. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameter.test(name);
}
