/**
 * The cookies that a server has set over one link. A client returns them with every request (RT-04): a load balancer
 * may use a cookie to send all requests of a connection to the same server. The attributes of a cookie have no effect,
 * because a link has one address and a short life.
 */
export class CookieJar {
  readonly #pairs = new Map<string, string>();

  /** Stores the cookies of `Set-Cookie` headers. */
  store(setCookies: readonly string[]): void {
    for (const each of setCookies) {
      const [name, pair] = cookieOf(each);
      if (name !== "") this.#pairs.set(name, pair);
    }
  }

  /** Adds the cookies to the headers of a request, after those that the request itself has. */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    if (this.#pairs.size === 0) return { ...headers };
    const key = Object.keys(headers).find((name) => name.toLowerCase() === "cookie") ?? "cookie";
    const own = headers[key];
    return { ...headers, [key]: [...(own === undefined ? [] : [own]), ...this.#pairs.values()].join("; ") };
  }
}

/** Returns the text of `Set-Cookie` headers for a dialogue: names without values, which can be secrets. */
export function cookieNames(setCookies: readonly string[]): string {
  return setCookies.map((each) => `${cookieOf(each)[0]}=…`).join(", ");
}

/** Returns the name of a cookie, and its name with its value, as a request returns it. */
function cookieOf(setCookie: string): readonly [name: string, pair: string] {
  const [pair = ""] = setCookie.split(";", 1);
  return [pair.slice(0, Math.max(0, pair.indexOf("="))).trim(), pair.trim()];
}
