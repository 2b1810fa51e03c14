import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { checkOptions } from "@acp-kit/jsonrpc/internal";
import { WebSocket } from "ws";
import { CookieJar } from "../client/cookie-jar.js";
import { fetchAgent, httpAgentKinds, remoteHttp } from "../client/http-agent.js";
import type { HttpAgentOptions } from "../client/http-agent-options.js";
import type { RemoteAgent } from "../client/remote-source.js";
import {
  remoteWebSocket,
  type WebSocketAgentOptions,
  type WebSocketRequest,
  webSocketAgent as webSocketAgentAnywhere,
  webSocketAgentKinds,
} from "../client/web-socket-agent.js";
import { RemoteError } from "../wire/remote-error.js";
import type { TextSocket } from "../wire/text-socket.js";
import { openSocket, type RouteOptions } from "./http-route.js";
import { routeKinds } from "./node-fetch.js";
import { createNodeHttp } from "./node-http.js";
import { wsSocket } from "./ws-socket.js";

/** The options of a remote agent that exist only in Node. */
export type NodeRemoteOptions = RouteOptions;

/**
 * Connects to an agent at a URL over HTTP/2, or over HTTP/1.1 if the server does not support HTTP/2. Uses the proxies
 * that the environment variables name.
 *
 * @throws {TypeError} when `url` is not an `http:` or `https:` URL, or contains a user or password.
 */
export function httpAgent(url: string | URL, options: HttpAgentOptions & NodeRemoteOptions = {}): RemoteAgent {
  checkOptions("httpAgent", options, { ...httpAgentKinds, ...routeKinds });
  if (options.fetch !== undefined) return fetchAgent(url, options);
  const { tls, environment, connectTimeoutMs } = options;
  const http = createNodeHttp({ tls, environment, connectTimeoutMs });
  const agent = remoteHttp("httpAgent", url, options, http.send);
  const close = async (): Promise<void> => {
    await agent.close();
    http.close();
  };
  return { open: () => agent.open(), close };
}

/**
 * Connects to an agent at a URL over a WebSocket of the library `ws`, which also works on Node 20. It supports headers,
 * back-pressure in both directions, and the proxies that the environment variables name.
 *
 * @throws {TypeError} when `url` is not a `ws:`, `wss:`, `http:` or `https:` URL.
 */
export function webSocketAgent(
  url: string | URL,
  options: WebSocketAgentOptions & NodeRemoteOptions = {},
): RemoteAgent {
  checkOptions("webSocketAgent", options, { ...webSocketAgentKinds, ...routeKinds });
  if (options.WebSocket !== undefined) return webSocketAgentAnywhere(url, options);
  const { tls, environment, connectTimeoutMs, ...rest } = options;
  // Shared by all connections of the agent: with the cookies, a load balancer routes a new connection to the same
  // server
  const cookies = new CookieJar();
  return remoteWebSocket(url, rest, (request) => openWs(request, cookies, { tls, environment, connectTimeoutMs }));
}

/**
 * `ws` ends a connection with a message that is longer than this many times the limit. The transport skips a message
 * above the limit, and the connection stays open.
 */
const MAX_PAYLOAD = 2;

function openWs(
  { url, at, protocols, headers, timeoutMs, maxMessageBytes }: WebSocketRequest,
  cookies: CookieJar,
  route: RouteOptions,
): Promise<TextSocket> {
  return new Promise((resolve, reject) => {
    const webSocket = new WebSocket(url, [...protocols], {
      headers: cookies.addTo(headers),
      handshakeTimeout: timeoutMs,
      perMessageDeflate: false,
      maxPayload: MAX_PAYLOAD * maxMessageBytes,
      createConnection: ((_: unknown, done: (error: Error | null, socket?: Socket) => void) => {
        openSocket(new URL(url), ["http/1.1"], route).then((socket) => done(null, socket), done);
        return undefined;
      }) as never,
    });
    webSocket.once("upgrade", ({ headers: received }: IncomingMessage) => cookies.store(received["set-cookie"] ?? []));
    webSocket.once("open", () => resolve(wsSocket(webSocket)));
    webSocket.once("unexpected-response", (request, response: IncomingMessage) => {
      cookies.store(response.headers["set-cookie"] ?? []);
      const status = response.statusCode ?? 0;
      const code = status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "refused";
      reject(new RemoteError(code, `The server refused the WebSocket to ${at} with ${status}.`, { url: at, status }));
      request.destroy();
    });
    webSocket.on("error", (cause) =>
      reject(
        new RemoteError("unreachable", `The WebSocket to ${at} could not be opened: ${cause.message}`, {
          url: at,
          cause,
        }),
      ),
    );
  });
}
