interface Cookie {
  readonly value: string;
  /** The time at which the cookie expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** The limits of browsers for the cookies of a host. A cookie that is too long or too many is dropped. */
const MAX_COOKIES = 180;
const MAX_COOKIE_CHARACTERS = 4_096;

/**
 * The cookies of one server, for platforms whose `fetch` stores no cookies. The specification allows a server to route
 * a client to one replica by cookies.
 *
 * Domain, path and `Secure` are not compared, because all requests go to one address.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Stores the cookies of a response. */
  store(setCookies: readonly string[], now: number = Date.now()): void {
    for (const text of setCookies) this.#store(text, now);
  }

  /** Returns the header `Cookie` of a request; `undefined` without cookies. */
  header(now: number = Date.now()): string | undefined {
    const pairs: string[] = [];
    for (const [name, { value, expires }] of this.#cookies) {
      if (expires <= now) this.#cookies.delete(name);
      else pairs.push(`${name}=${value}`);
    }
    return pairs.length === 0 ? undefined : pairs.join("; ");
  }

  /**
   * Returns the headers of a request with the stored cookies. They precede the application's cookies, because servers
   * use the first value of a name, and the stored value is newer.
   */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    const stored = this.header();
    if (stored === undefined) return headers;
    const name = Object.keys(headers).find((key) => key.toLowerCase() === "cookie") ?? "cookie";
    const own = headers[name];
    return { ...headers, [name]: own === undefined ? stored : `${stored}; ${own}` };
  }

  #store(text: string, now: number): void {
    if (text.length > MAX_COOKIE_CHARACTERS) return;
    const [pair = "", ...attributes] = text.split(";");
    const equals = pair.indexOf("=");
    if (equals < 1) return;
    const name = pair.slice(0, equals).trim();
    const expires = expiryOf(attributes, now);
    this.#cookies.delete(name);
    if (expires > now && this.#cookies.size < MAX_COOKIES) {
      this.#cookies.set(name, { value: pair.slice(equals + 1).trim(), expires });
    }
  }
}

function expiryOf(attributes: readonly string[], now: number): number {
  let expires = Number.POSITIVE_INFINITY;
  for (const attribute of attributes) {
    const [name = "", value = ""] = attribute.split("=", 2).map((part) => part.trim());
    if (name.toLowerCase() === "max-age" && /^-?\d{1,12}$/.test(value)) return now + Number(value) * 1_000;
    if (name.toLowerCase() === "expires") {
      const date = Date.parse(value);
      if (!Number.isNaN(date)) expires = date;
    }
  }
  return expires;
}
