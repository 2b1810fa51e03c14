import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { after, onAbort } from "@acp-kit/jsonrpc/internal";
import { openTunnel, type ProxyEnvironment, proxyFor, targetOf, withoutBrackets } from "./proxy.js";

/** The TLS settings of a client, such as a private certificate authority or a client certificate. */
export interface ClientTlsOptions {
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Whether invalid certificates are refused; `false` accepts any certificate. The default is `true`. */
  readonly rejectUnauthorized?: boolean;
}

/** Options for connecting to a server. */
export interface RouteOptions {
  readonly tls?: ClientTlsOptions | undefined;
  readonly environment?: ProxyEnvironment | undefined;
  /** The time in milliseconds that a socket may take to open, a proxy and TLS included. The default is 15,000. */
  readonly connectTimeoutMs?: number | undefined;
}

const CONNECT_TIMEOUT_MS = 15_000;

/** How requests reach one origin: over a session of HTTP/2, or over HTTP/1.1 if the server has no HTTP/2. */
export type HttpRoute = { readonly is: "http2"; readonly session: ClientHttp2Session } | { readonly is: "http1" };

/**
 * The number of bytes of a response that the server may send before the client has read them. With HTTP/2's default of
 * 64 KiB, server and client work alternately: the server waits until the client has read.
 */
const STREAM_WINDOW_BYTES = 262_144;
/** The same for all responses of a connection, larger, so that unread responses don't stop the others. */
const CONNECTION_WINDOW_BYTES = 4_194_304;

/** The time in milliseconds that a server without TLS may take to confirm HTTP/2. */
const SETTINGS_TIMEOUT_MS = 2_000;

/** Opens a socket to an origin, with TLS or through the environment's proxy. Rejects after `connectTimeoutMs`. */
export async function openSocket(
  url: URL,
  protocols: readonly string[],
  { tls, environment, connectTimeoutMs = CONNECT_TIMEOUT_MS }: RouteOptions,
): Promise<Socket> {
  const late = new AbortController();
  const message = `No connection to ${url.host} within ${connectTimeoutMs} ms (connectTimeoutMs).`;
  const stop = after(connectTimeoutMs, () => late.abort(new Error(message)));
  try {
    return await open(url, protocols, { tls, environment }, late.signal);
  } finally {
    stop();
  }
}

async function open(
  url: URL,
  protocols: readonly string[],
  { tls, environment }: RouteOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  const proxy = proxyFor(url, environment);
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port || (isSecure ? 443 : 80));
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, targetOf(url), signal);
  if (!isSecure) return tunnel ?? connected(connectTcp({ host, port }), "connect", signal);
  const options = {
    ...(tls as object),
    ...(tunnel === undefined ? { host, port } : { socket: tunnel }),
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: [...protocols],
  };
  return connected(connectTls(options), "secureConnect", signal);
}

/** Finds out whether an origin supports HTTP/2. Rejects when the origin can't be reached. */
export async function findRoute(origin: URL, options: RouteOptions): Promise<HttpRoute> {
  const socket = await openSocket(origin, ["h2", "http/1.1"], options);
  if (origin.protocol === "https:" && (socket as TLSSocket).alpnProtocol !== "h2") {
    socket.destroy();
    return { is: "http1" };
  }
  const session = connectHttp2(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
  });
  session.on("error", () => {}); // the streams of the session report the error
  session.once("connect", () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
  // With TLS, the handshake has chosen HTTP/2, so the first request need not wait for the settings, which take a round
  // trip.
  if (origin.protocol === "https:" || (await confirmsHttp2(session))) return { is: "http2", session };
  session.destroy();
  return { is: "http1" };
}

/** Whether a server without TLS supports HTTP/2: it then responds to the session's start with HTTP/2 settings. */
function confirmsHttp2(session: ClientHttp2Session): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), SETTINGS_TIMEOUT_MS);
    const settle = (answer: boolean): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    session.once("remoteSettings", () => settle(true));
    session.once("close", () => settle(false));
    session.once("error", () => settle(false));
  });
}

function connected<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => socket.destroy(signal.reason));
    const failed = (error: Error): void => {
      stopListening();
      reject(error);
    };
    socket.once("error", failed);
    socket.once(event, () => {
      stopListening();
      socket.off("error", failed);
      resolve(socket);
    });
  });
}
