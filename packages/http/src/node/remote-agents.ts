import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { CookieJar } from "../client/cookie-jar.js";
import { httpAgent as httpAgentAnywhere } from "../client/http-agent.js";
import type { HttpAgentOptions } from "../client/http-agent-options.js";
import type { RemoteAgent } from "../client/remote-source.js";
import {
  remoteWebSocket,
  type WebSocketAgentOptions,
  type WebSocketRequest,
  webSocketAgent as webSocketAgentAnywhere,
} from "../client/web-socket-agent.js";
import { plainUrl, RemoteError } from "../wire/remote-error.js";
import type { TextSocket } from "../wire/text-socket.js";
import { openSocket, type RouteOptions } from "./http-route.js";
import { createNodeFetch } from "./node-fetch.js";
import { wsSocket } from "./ws-socket.js";

/** The options of a remote agent that only Node has. */
export type NodeRemoteOptions = RouteOptions;

/**
 * Connects to an agent at a URL over HTTP/2, or over HTTP/1.1 if the server has no HTTP/2, and through the proxies of
 * the environment.
 *
 * @throws {TypeError} when `url` is not an `http:` or `https:` URL.
 */
export function httpAgent(url: string | URL, options: HttpAgentOptions & NodeRemoteOptions = {}): RemoteAgent {
  const { tls, environment, connectTimeoutMs } = options;
  const fetch = options.fetch ?? createNodeFetch({ tls, environment, connectTimeoutMs });
  return httpAgentAnywhere(url, { ...options, fetch });
}

/**
 * Connects to an agent at a URL over a WebSocket of the library `ws`, which also works on Node 20: with headers,
 * back-pressure in both directions, and the proxies of the environment.
 *
 * @throws {TypeError} when `url` is no `ws:`, `wss:`, `http:` or `https:` URL.
 */
export function webSocketAgent(
  url: string | URL,
  options: WebSocketAgentOptions & NodeRemoteOptions = {},
): RemoteAgent {
  if (options.WebSocket !== undefined) return webSocketAgentAnywhere(url, options);
  const { tls, environment, connectTimeoutMs, ...rest } = options;
  const cookies = new CookieJar(); // of the source: a server that lost a connection is found again by them
  return remoteWebSocket(url, rest, (request) => openWs(request, cookies, { tls, environment, connectTimeoutMs }));
}

/** Size of the longest message of a socket, above what the transport allows: it refuses with a better reason. */
const MAX_PAYLOAD_BYTES = 134_217_728;

function openWs(
  { url, protocols, headers, timeoutMs }: WebSocketRequest,
  cookies: CookieJar,
  route: RouteOptions,
): Promise<TextSocket> {
  const at = plainUrl(url);
  const cookie = cookies.header();
  return new Promise((resolve, reject) => {
    const webSocket = new WebSocket(url, [...protocols], {
      headers: { ...headers, ...(cookie !== undefined && { cookie }) },
      handshakeTimeout: timeoutMs,
      perMessageDeflate: false,
      maxPayload: MAX_PAYLOAD_BYTES,
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
