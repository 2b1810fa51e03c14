import { isSecretName } from "@acp-kit/protocol/internal";

/** Matches words of schemas and of HTTP, which are common values of members with names like `token` or `password`. */
const common =
  /^(?:string|number|boolean|integer|object|array|null|undefined|bearer|basic|digest|password|secret|token|apikey|default|enabled|disabled|required|optional|public|private)$/i;

/** Matches one to three plain words, such as `dark mode` or `session/update`, which occur in many texts. */
const plainWords = /^[A-Z]?[a-z]+(?:[ _./:-][A-Z]?[a-z]+){0,2}$/;

/** Matches numbers, versions and dates. */
const numeric = /^[\d.,:+_-]+$/;

/** Matches paths, and lists of paths. */
const path = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:)/;

/** Matches locales, such as `en_US.UTF-8`. */
const locale = /^[a-z]{2,3}_[A-Z]{2}(?:[.@][\w-]{1,20})?$/;

/** Matches addresses without a user and without a query, such as `http://localhost:8080/v1`. */
const plainUrl = /^[a-z][a-z+.-]{0,20}:\/\/[^\s?#@]{1,2000}$/i;

/** Matches text that looks random: 12 or more characters with letters and digits. */
const random = /(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[\w-]{12,}/;

/** Matches names of passwords that are also names of working directories. */
const ambiguousName = /^(?:old)?pwd$/i;

const MAX_PLAIN_WORDS = 24;

/**
 * Returns whether a hidden value is searched for in other texts. Every value of `env` is hidden in `env` itself. Common
 * values such as `production` and `/home/user` are not searched for elsewhere, because hiding them everywhere would
 * make a recording useless and protect nothing.
 *
 * @param isNamed whether the value has a name like `token`. The value then counts as a secret in any form.
 */
export function isSearchable(value: string, isNamed: boolean): boolean {
  const text = value.trim();
  if (text.length < 6 || common.test(text)) return false;
  if (isNamed) return true;
  if (text.length < 8 || numeric.test(text) || path.test(text) || locale.test(text)) return false;
  if (text.length < MAX_PLAIN_WORDS && plainWords.test(text)) return false;
  return !plainUrl.test(text) || random.test(text.slice(0, 2_000).replace(/^[^/]{0,30}\/\/[^/]*/, ""));
}

/**
 * Returns whether a hidden value counts as a secret in any form because of its name. A path in a member named `pwd`
 * does not: it is the working directory, which is a part of most paths.
 */
export function isSecretByName(name: string, value: string): boolean {
  return isSecretName(name) && !(ambiguousName.test(name) && path.test(value));
}
