import { RegistryError } from "../errors.js";

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks that what is downloaded from a URL can't be changed on the way: `https:`, or `http:` on this machine.
 *
 * @throws {RegistryError} `unreachable`.
 */
export function secureUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new RegistryError("unreachable", `${what}: "${text}" is not a URL.`);
  if (url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname))) return url;
  throw new RegistryError(
    "unreachable",
    `${what}: ${shown(url)} is not https: and not on this machine, so it is not read.`,
  );
}

/** A URL without its query and its user, which may be credentials. */
export function shown({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
