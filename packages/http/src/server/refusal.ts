import type { RequestId } from "@acp-kit/jsonrpc";
import type { HttpReply } from "./exchange.js";

/** Options of a {@link Refusal}. */
export interface RefusalOptions {
  /** The code of the JSON-RPC error in the body. Default -32600 (invalid request). */
  readonly code?: number;
  readonly id?: RequestId;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the option whose limit was exceeded. */
  readonly limit?: string;
  /** Whether the request did not arrive in full. The client may then send it again. */
  readonly isIncomplete?: boolean;
}

const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/;

/** The refusal of a request. The body of the response is a JSON-RPC error, beside the status. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly #options: RefusalOptions;

  /** @throws {TypeError} when the value of a header has characters that HTTP does not allow, such as a line break. */
  constructor(status: number, message: string, options: RefusalOptions = {}) {
    super(message);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (NOT_IN_HEADERS.test(value))
        throw new TypeError(`Refusal: the header ${name} has a character that HTTP does not allow.`);
    }
    this.status = status;
    this.#options = options;
  }

  /** Whether the request did not arrive in full. */
  get isIncomplete(): boolean {
    return this.#options.isIncomplete ?? false;
  }

  /** The reply to send. */
  toReply(): HttpReply {
    const { code = -32_600, id = null, headers = {}, limit } = this.#options;
    const data = limit === undefined ? {} : { data: { limit } };
    return {
      status: this.status,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: this.message, ...data } }),
    };
  }
}

/** Returns the refusal of a request whose agent did not respond to `initialize` within `initializeTimeoutMs`. */
export function initializeTimedOut(): Refusal {
  const message = "The agent did not respond to initialize in time.";
  return new Refusal(504, message, { code: -32_603, limit: "initializeTimeoutMs" });
}

/** Returns the reply to an error: a refusal's own reply, or 500 without details for any other error. */
export function replyToError(error: unknown): HttpReply {
  if (error instanceof Refusal) return error.toReply();
  return new Refusal(500, "The server failed to handle the request.", { code: -32_603 }).toReply();
}
