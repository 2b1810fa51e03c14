/** The argument of a function that returns a token or headers. */
export interface CredentialsContext {
  /** Whether the server has refused the previous token with 401. The function then must not return a cached value. */
  readonly refresh: boolean;
}

/** A bearer token, or a function that returns one, called once, and again when the server responds with 401. */
export type TokenSource =
  | string
  | ((context: CredentialsContext) => string | undefined | PromiseLike<string | undefined>);

/** The headers of every request, or a function that returns them, called once and again after a 401. */
export type HeadersSource =
  | Readonly<Record<string, string>>
  | ((context: CredentialsContext) => Readonly<Record<string, string>> | PromiseLike<Readonly<Record<string, string>>>);

/** The token and the headers by which a client authenticates. */
export interface CredentialsOptions {
  readonly headers?: HeadersSource | undefined;
  readonly token?: TokenSource | undefined;
}

/** The credentials of one request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

/** Obtains and renews credentials. If several requests are refused at the same time, renews them only once. */
export class CredentialsCache {
  readonly #options: CredentialsOptions;
  #current: Promise<Credentials> | undefined;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** Whether the token or the headers come from a function, which may return new ones. */
  get canRenew(): boolean {
    return typeof this.#options.headers === "function" || typeof this.#options.token === "function";
  }

  /** Returns the credentials to send. Rejects if the caller's function throws; the next call tries again. */
  get(): Promise<Credentials> {
    this.#current ??= this.#load(false);
    return this.#current;
  }

  /** Obtains new credentials after the server has refused the given ones. */
  renew(refused: Credentials): Promise<Credentials> {
    const before = this.#current;
    this.#current = (async () => {
      const current = await before?.catch(() => undefined);
      return current === undefined || current === refused ? this.#load(true) : current;
    })();
    this.#forgetFailure(this.#current);
    return this.#current;
  }

  #load(refresh: boolean): Promise<Credentials> {
    const loading = (async () => {
      const { headers = {}, token } = this.#options;
      return {
        headers: typeof headers === "function" ? await headers({ refresh }) : headers,
        token: typeof token === "function" ? await token({ refresh }) : token,
      };
    })();
    this.#forgetFailure(loading);
    return loading;
  }

  #forgetFailure(loading: Promise<Credentials>): void {
    loading.catch(() => {
      if (this.#current === loading) this.#current = undefined;
    });
  }
}

/** Returns the headers of a request with these credentials. */
export function headersOf({ headers, token }: Credentials): Record<string, string> {
  return token === undefined ? { ...headers } : { authorization: `Bearer ${token}`, ...headers };
}
