/** The text that replaces a secret. */
export const REDACTED = "[redacted]";

/** Members whose values are environment variables or HTTP headers: lists of `{ name, value }`, or maps. */
const pairMember =
  /^(?:env|envs|environment|env_?vars|environment_?variables|(?:http_?|request_?|response_?|extra_?)?headers)$/i;

/** Names that end in a word for a secret: `apiKey`, `GITHUB_TOKEN`, `client_secret`, but not `inputTokens`. */
const secretName =
  /(?:token|secret|password|passwd|passphrase|pwd|authorization|bearer|cookie|credentials?|(?:api|access|private|secret|signing|encryption|session|license|auth)[-_ ]?key)$/i;

/** In `_meta`, whose members have no specification, a word for a secret anywhere in a name is enough. */
const metaSecretName = /token|secret|password|passwd|authorization|api[-_]?key|credential/i;

/** Flags whose value, the next word or the text after `=`, is a secret. */
const secretFlag =
  /^--?(?:[\w-]*[-_])?(?:token|secret|password|passwd|pass|passphrase|pwd|auth|authorization|bearer|cookie|credentials?|(?:api|access|private|secret|signing|auth)?[-_]?key)$/i;

/** Query parameters of a URL that carry a secret without a word for it in their name. */
const secretParameter = /^(?:sig|signature|x-amz-signature|x-goog-signature|code|key|auth|jwt|pass|pwd|sid)$/i;

/** Names are short; a longer one is not worth a search. */
const MAX_NAME = 200;

/** Whether the members below hold values of environment variables or headers. */
export function isPairMember(name: string): boolean {
  return name.length < MAX_NAME && pairMember.test(name);
}

/** Whether a value of this name is a secret. */
export function isSecretName(name: string, inMeta = false): boolean {
  return name.length < MAX_NAME && (inMeta ? metaSecretName : secretName).test(name);
}

/** Whether this word of a command line says that its value is a secret. */
export function isSecretFlag(word: string): boolean {
  return word.length < MAX_NAME && secretFlag.test(word);
}

/** Whether the value of a query parameter of this name is a secret. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameter.test(name);
}
