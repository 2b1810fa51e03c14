import type { Transport } from "@acp-kit/jsonrpc";
import { type ConnectionChange, changeReporter } from "./connection-change.js";
import { CookieJar } from "./cookie-jar.js";
import { CredentialsCache } from "./credentials.js";
import { type HttpAgentOptions, remoteLimitsOf } from "./http-agent-options.js";
import { HttpRequests } from "./http-requests.js";
import { HttpTransport } from "./http-transport.js";
import { plainUrl, RemoteError } from "./remote-error.js";
import { type EndableTransport, ResumingTransport } from "./resume/resuming-transport.js";

/** A remote agent as a source of connections for `connectAgent`. Each `open()` is a new connection. */
export interface RemoteAgent {
  /** Returns a transport. Nothing is sent before the first message. */
  open(): Promise<Transport>;
  /** Closes the connections that are open. Idempotent; never rejects. */
  close(): Promise<void>;
}

/**
 * An agent behind a URL, over streamable HTTP: for `connectAgent(httpAgent(url, options))`.
 *
 * It can be opened again: when the connection is lost for good, the next call of the client connects again. Messages leave in the order of
 * the calls. Where the server is one of ours, a connection survives the loss of its sockets for `reconnectTimeoutMs`, and a failed POST is sent again
 * without being executed twice. Where it is a gateway, it then continues on another connection for as long again: see `reconnect`.
 *
 * All failures reach the connection as a {@link RemoteError}, which is the `cause` of the errors of its pending requests.
 *
 * @throws {TypeError} when `url` is not an `http:` or `https:` URL.
 */
export function httpAgent(url: string | URL, options: HttpAgentOptions = {}): RemoteAgent {
  const address = new URL(url);
  if (address.protocol !== "http:" && address.protocol !== "https:") {
    throw new TypeError(`httpAgent: the URL must begin with http: or https:, not ${address.protocol}`);
  }
  const {
    signal,
    fetch = (input, init) => globalThis.fetch(input, init),
    credentials = "same-origin",
    reconnect = true,
  } = options;
  const limits = remoteLimitsOf(options.limits);
  const cache = new CredentialsCache(options);
  const cookies = new CookieJar(); // of the source: a server that lost a connection is found again by them
  const open = new Set<EndableTransport>();
  let isClosed = false;
  const abort = (): void => {
    const message = "The connection was ended by the caller's signal.";
    const error = new RemoteError("aborted", message, { url: plainUrl(address.href), cause: signal?.reason });
    for (const transport of open) transport.fail(error);
  };
  const connect = (onChange: (change: ConnectionChange) => void): HttpTransport => {
    const requests = new HttpRequests({
      url: address.href,
      fetch,
      credentials: cache,
      cookies,
      browserCredentials: credentials,
    });
    return new HttpTransport({ requests, limits, onChange });
  };
  return {
    open: async () => {
      if (isClosed) throw new TypeError("httpAgent: the agent was closed.");
      const url = plainUrl(address.href);
      const onChange = changeReporter(options.onConnectionChange);
      const transport: EndableTransport = reconnect
        ? new ResumingTransport({ open: () => connect(onChange), url, limits, onChange })
        : connect(onChange);
      void transport.ended.then(() => forget(transport));
      if (open.size === 0) signal?.addEventListener("abort", abort, { once: true });
      open.add(transport);
      if (signal?.aborted) abort();
      return transport;
    },
    close: async () => {
      isClosed = true;
      await Promise.all(Array.from(open, (transport) => transport.close()));
    },
  };

  function forget(transport: EndableTransport): void {
    open.delete(transport);
    if (open.size === 0) signal?.removeEventListener("abort", abort);
  }
}
