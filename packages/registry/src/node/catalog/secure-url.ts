import { RegistryError } from "../errors.js";

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses a URL, and checks that no third party can change the downloaded data: the URL must be `https:`, or `http:` on
 * this machine.
 *
 * @throws {RegistryError} `unreachable`.
 */
export function secureUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new RegistryError("unreachable", `${what}: "${withoutCredentials(text)}" is not a URL.`);
  if (url.username !== "" || url.password !== "") {
    throw new RegistryError("unreachable", `${what}: the URL ${shown(url)} must not contain a user or a password.`);
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname))) return url;
  throw new RegistryError(
    "unreachable",
    `${what}: ${shown(url)} must be an https: URL, or an http: URL on this machine.`,
  );
}

/** Returns a text that may be a URL for messages, without query, user and password. A password may contain an `@`. */
export function withoutCredentials(text: string): string {
  return text.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}

/** Returns a URL for messages, without query, user and password, which may be credentials. */
export function shown({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
