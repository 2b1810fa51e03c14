/**
 * Returns the parts of a hidden value that can occur alone in other texts: the token of `Bearer X`, the user and the
 * password of `Basic …`, the values of cookies.
 */
export function partsOf(value: string): string[] {
  if (value.length > MAX_LENGTH) return [];
  const parts: string[] = [];
  const [, scheme = "", credential = ""] = /^(\w{1,30})\s+(\S+)$/.exec(value.trim()) ?? [];
  if (credential !== "") parts.push(credential);
  if (/^basic$/i.test(scheme)) {
    const pair = decode(credential);
    parts.push(pair, pair.slice(pair.indexOf(":") + 1));
  }
  if (value.includes(";")) {
    for (const cookie of value.split(";")) {
      const [name = ""] = cookie.split("=", 1);
      if (!attributes.has(name.trim().toLowerCase())) parts.push(cookie.slice(cookie.indexOf("=") + 1));
    }
  }
  return parts.filter((part) => part !== "" && part !== value);
}

/** The attributes in `Set-Cookie`. Their values, such as a domain, occur in many texts and are no secrets. */
const attributes: ReadonlySet<string> = new Set([
  "domain",
  "expires",
  "httponly",
  "max-age",
  "partitioned",
  "path",
  "priority",
  "samesite",
  "secure",
]);

/** The maximum length of a value that is split into parts. Values of headers are shorter. */
const MAX_LENGTH = 16_384;

function decode(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return "";
  }
}
