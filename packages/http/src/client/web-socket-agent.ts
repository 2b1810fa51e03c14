import { after, checkOptions, every, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { isRemoteError, plainUrl, RemoteError } from "../wire/remote-error.js";
import { socketOf, type TextSocket, type WebSocketLike } from "../wire/text-socket.js";
import { tokenProtocols } from "../wire/token-protocols.js";
import { WebSocketTransport } from "../wire/web-socket-transport.js";
import { type ConnectionChange, changeReporter } from "./connection-change.js";
import { type Credentials, CredentialsCache, type CredentialsOptions, headersOf } from "./credentials.js";
import { type RemoteAgentLimits, remoteLimitsOf } from "./http-agent-options.js";
import { type RemoteAgent, remoteSource } from "./remote-source.js";
import { ResumableTransport } from "./resumable-transport.js";

/** The constructor of a standard `WebSocket`. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

/** A WebSocket to be opened. */
export interface WebSocketRequest {
  readonly url: string;
  /** The URL without its query, for errors. */
  readonly at: string;
  /** The sub-protocols that the application offers. */
  readonly protocols: readonly string[];
  /** Headers of the upgrade, for implementations that can set them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  readonly timeoutMs: number;
  readonly maxMessageBytes: number;
}

/** Opens a WebSocket. Rejects with a {@link RemoteError}. */
export type OpenWebSocket = (request: WebSocketRequest) => Promise<TextSocket>;

/** Options of {@link webSocketAgent}. */
export interface WebSocketAgentOptions extends CredentialsOptions {
  /**
   * The constructor of WebSockets; by default the global `WebSocket`. Node 20 has no global `WebSocket`: import
   * `webSocketAgent` from `@acp-kit/http/node` there.
   */
  readonly WebSocket?: WebSocketConstructor;
  /** Sub-protocols that the client offers in addition to `acp` and the sub-protocol with the token. */
  readonly protocols?: readonly string[];
  /**
   * Whether a connection to a server that keeps sessions, such as a gateway, continues after the loss of its sockets or
   * a restart of the server. The client tries to connect again for `reconnectTimeoutMs`, calls stay pending, and no
   * update is lost or delivered twice. The default is `true`.
   */
  readonly reconnect?: boolean;
  /** Called when the sockets are lost and when the client has connected again, for display to the user. */
  readonly onConnectionChange?: (change: ConnectionChange) => void;
  /** When it aborts, all connections of this agent fail, with its reason as the `cause` of the `RemoteError`. */
  readonly signal?: AbortSignal;
  readonly limits?: RemoteAgentLimits;
}

/** If a connection has more unread or unsent bytes than this number, it ends. */
const MAX_QUEUED = 67_108_864;

/**
 * Connects to an agent at a URL over a WebSocket: `connectAgent(webSocketAgent(url, options))`. If the connection is
 * lost, the next call of the client connects again.
 *
 * A browser can't set headers of a WebSocket, so in a browser the client sends the `token` as a sub-protocol,
 * `acp.bearer.<base64url>`, in addition to the sub-protocol `acp`. A server of this package understands it. For other
 * servers, put the credential into the URL or into `protocols`.
 *
 * @throws {TypeError} when `url` is not a `ws:`, `wss:`, `http:` or `https:` URL, or when a limit is unknown or is not
 * a number from 0 to `Infinity`.
 */
export function webSocketAgent(url: string | URL, options: WebSocketAgentOptions = {}): RemoteAgent {
  checkOptions("webSocketAgent", options, webSocketAgentKinds);
  return remoteWebSocket(url, options, (request) => openStandard(request, options.WebSocket));
}

/** The kinds of the options, for their check. */
export const webSocketAgentKinds: OptionKinds<WebSocketAgentOptions> = {
  WebSocket: "value",
  protocols: "value",
  reconnect: "value",
  onConnectionChange: "function",
  signal: "value",
  limits: "value",
  headers: "value",
  token: "value",
};

/** @internal Creates a remote agent. The given function opens its WebSockets. */
export function remoteWebSocket(
  url: string | URL,
  options: Omit<WebSocketAgentOptions, "WebSocket">,
  openSocket: OpenWebSocket,
): RemoteAgent {
  const address = webSocketUrl(url);
  const limits = remoteLimitsOf(options.limits);
  const { responseTimeoutMs: timeoutMs, maxMessageBytes } = limits;
  const at = plainUrl(address);
  const credentials = new CredentialsCache(options);
  const { signal, protocols = [], reconnect = true } = options;
  const connect = async (current: Credentials): Promise<TextSocket> => {
    const headers = headersOf(current);
    return openSocket({ url: address, at, protocols, headers, credentials: current, timeoutMs, maxMessageBytes });
  };
  const connectTwice = async (): Promise<TextSocket> => {
    const current = await credentials.get();
    try {
      return await connect(current);
    } catch (error) {
      // A browser does not report why the server refused an upgrade, so an `unreachable` without a status may also be a
      // 401.
      const mayBeRefused =
        isRemoteError(error) && (error.status === undefined ? error.code === "unreachable" : error.status === 401);
      if (!mayBeRefused || !credentials.canRenew) throw error;
      return connect(await credentials.renew(current));
    }
  };
  const begin = async (transport: WebSocketTransport): Promise<void> => {
    try {
      transport.attach(await connectTwice());
    } catch (cause) {
      const message = `The credentials for ${at} could not be obtained.`;
      transport.fail(isRemoteError(cause) ? cause : new RemoteError("unauthorized", message, { url: at, cause }));
    }
  };
  return remoteSource({
    name: "webSocketAgent",
    url: at,
    signal,
    create: () => {
      const open = (): WebSocketTransport => {
        const transport = new WebSocketTransport({
          limits: { ...limits, maxQueuedBytes: MAX_QUEUED, maxReceivedBytes: limits.maxMessageBytes },
          errorOf: (what, detail, cause) => new RemoteError(errorCodes[what], detail, { url: at, cause }),
        });
        void transport.ended.then(every(WATCH_MS, () => transport.checkSilence(limits.keepAliveTimeoutMs)));
        if (!signal?.aborted) void begin(transport);
        return transport;
      };
      const onChange = changeReporter(options.onConnectionChange);
      return reconnect ? new ResumableTransport({ open, url: at, limits, onChange }) : open();
    },
  });
}

const WATCH_MS = 1_000;

// A client that continues its connection does not continue after `refused`: it would send the too large message again
// and again.
const errorCodes = { closed: "stream_broken", tooLarge: "refused", overflow: "overflow", silent: "timeout" } as const;

/** The address of a WebSocket. Replaces `http:` by `ws:` and `https:` by `wss:`. */
function webSocketUrl(url: string | URL): string {
  const address = new URL(url);
  if (address.protocol === "http:") address.protocol = "ws:";
  if (address.protocol === "https:") address.protocol = "wss:";
  if (address.protocol !== "ws:" && address.protocol !== "wss:") {
    throw new TypeError(`webSocketAgent: the URL must begin with ws:, wss:, http: or https:, not ${address.protocol}`);
  }
  address.hash = "";
  return address.href;
}

function openStandard(
  { url, at, protocols, credentials, timeoutMs }: WebSocketRequest,
  Constructor: WebSocketConstructor | undefined = (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket,
): Promise<TextSocket> {
  if (Constructor === undefined) {
    const message =
      "This platform has no WebSocket: import webSocketAgent from @acp-kit/http/node, or pass the option WebSocket.";
    return Promise.reject(new RemoteError("unreachable", message, { url: at }));
  }
  const { token } = credentials;
  return new Promise((resolve, reject) => {
    const webSocket = new Constructor(url, [...protocols, ...(token === undefined ? [] : tokenProtocols(token))]);
    const fail = (error: RemoteError): void => {
      stop();
      reject(error);
    };
    const stop = after(timeoutMs, () => {
      fail(new RemoteError("timeout", `The WebSocket to ${at} did not open within ${timeoutMs} ms.`, { url: at }));
      webSocket.close();
    });
    webSocket.addEventListener("open", () => {
      stop();
      resolve(socketOf(webSocket));
    });
    webSocket.addEventListener("error", ({ error: cause }: { error?: unknown }) =>
      fail(new RemoteError("unreachable", `The WebSocket to ${at} could not be opened.`, { url: at, cause })),
    );
    webSocket.addEventListener("close", ({ code }: { code: number }) =>
      fail(
        new RemoteError("unreachable", `The WebSocket to ${at} was closed with ${code} before it was open.`, {
          url: at,
        }),
      ),
    );
  });
}
