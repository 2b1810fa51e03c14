import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { plainUrl } from "../wire/remote-error.js";
import { changeReporter } from "./connection-change.js";
import { CookieJar } from "./cookie-jar.js";
import { CredentialsCache } from "./credentials.js";
import { type HttpAgentOptions, remoteLimitsOf } from "./http-agent-options.js";
import type { SendHttp } from "./http-reply.js";
import { HttpRequests } from "./http-requests.js";
import { HttpTransport } from "./http-transport.js";
import { type RemoteAgent, remoteSource } from "./remote-source.js";
import { ResumableTransport } from "./resumable-transport.js";

/**
 * Connects to an agent at a URL over streamable HTTP: `connectAgent(fetchAgent(url, options))`.
 *
 * If the connection is lost, the next call of the client connects again. Messages are sent in the order of the calls.
 * With a server of this package, the client continues the connection after a loss of its sockets that is shorter than
 * `reconnectTimeoutMs`. It sends a failed POST again, and the server executes it once. If the server is a gateway, the
 * client can also continue on another connection, for `reconnectTimeoutMs` more; see the option `reconnect`.
 *
 * Every failure of the connection is a {@link RemoteError}, which is the `cause` of the errors of all pending requests.
 *
 * @throws {TypeError} when `url` is not an `http:` or `https:` URL, or contains a user or password, or when a limit is
 * unknown or is not a number from 0 to `Infinity`.
 */
export function fetchAgent(url: string | URL, options: HttpAgentOptions = {}): RemoteAgent {
  checkOptions("fetchAgent", options, httpAgentKinds);
  return remoteHttp("fetchAgent", url, options, options.fetch ?? ((input, init) => globalThis.fetch(input, init)));
}

/** The kinds of the options, for their check. */
export const httpAgentKinds: OptionKinds<HttpAgentOptions> = {
  fetch: "function",
  credentials: ["omit", "same-origin", "include"],
  reconnect: "value",
  onConnectionChange: "function",
  signal: "value",
  limits: "value",
  headers: "value",
  token: "value",
};

/**
 * Connects to an agent as {@link fetchAgent} does, with a function that sends the requests. @param name the function
 * that the application has called, for errors.
 */
export function remoteHttp(
  name: "fetchAgent" | "httpAgent",
  url: string | URL,
  options: Omit<HttpAgentOptions, "fetch">,
  sendHttp: SendHttp,
): RemoteAgent {
  const address = new URL(url);
  if (address.protocol !== "http:" && address.protocol !== "https:") {
    throw new TypeError(`${name}: the URL must begin with http: or https:, not ${address.protocol}`);
  }
  if (address.username !== "" || address.password !== "") {
    // The standard `fetch` refuses such a URL with an error that contains the password.
    throw new TypeError(
      `${name}: the URL must not contain a user or password: use the option \`headers\` or \`token\`.`,
    );
  }
  const { signal, credentials = "same-origin", reconnect = true, onConnectionChange } = options;
  const at = plainUrl(address.href);
  const limits = remoteLimitsOf(options.limits);
  const cache = new CredentialsCache(options);
  // Shared by all connections of the agent: with the cookies, a load balancer routes a new connection to the same
  // server
  const cookies = new CookieJar();
  return remoteSource({
    name,
    url: at,
    signal,
    create: () => {
      const onChange = changeReporter(onConnectionChange);
      const open = (): HttpTransport => {
        const site = { url: address.href, sendHttp, credentials: cache, cookies, browserCredentials: credentials };
        return new HttpTransport({ requests: new HttpRequests(site), limits, onChange });
      };
      return reconnect ? new ResumableTransport({ open, url: at, limits, onChange }) : open();
    },
  });
}
