/** Words of schemas and of HTTP that are common values of members named like secrets. */
const common =
  /^(?:string|number|boolean|integer|object|array|null|undefined|bearer|basic|digest|password|secret|token|apikey|default|enabled|disabled|required|optional|public|private)$/i;

/** `production`, `dark mode`, `session/update`: a few words of plain letters, which texts are full of. */
const plainWords = /^[A-Z]?[a-z]+(?:[ _./:-][A-Z]?[a-z]+){0,2}$/;

/** Numbers, versions, dates. */
const numeric = /^[\d.,:+_-]+$/;

/** Paths, and lists of paths. */
const path = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:)/;

/** `en_US.UTF-8`. */
const locale = /^[a-z]{2,3}_[A-Z]{2}(?:[.@][\w-]{1,20})?$/;

/** `http://localhost:8080/v1`: an address without a user, a query or a part that looks random. */
const plainUrl = /^[a-z][a-z+.-]{0,20}:\/\/[^\s?#@]{1,2000}$/i;

/** Looks random: long enough, with letters and digits. */
const random = /(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[\w-]{12,}/;

const MAX_PLAIN_WORDS = 24;

/**
 * Whether a hidden value is searched for in other texts. In its own place every value of `env` is hidden, but hiding each `production` and
 * each `/home/user` everywhere would make a recording useless and protect nothing.
 *
 * @param isNamed whether its name is that of a secret: then it is one, whatever it looks like.
 */
export function isSearchable(value: string, isNamed: boolean): boolean {
  const text = value.trim();
  if (text.length < 6 || common.test(text)) return false;
  if (isNamed) return true;
  if (text.length < 8 || numeric.test(text) || path.test(text) || locale.test(text)) return false;
  if (text.length < MAX_PLAIN_WORDS && plainWords.test(text)) return false;
  return !plainUrl.test(text) || random.test(text.slice(0, 2_000).replace(/^[^/]{0,30}\/\/[^/]*/, ""));
}
