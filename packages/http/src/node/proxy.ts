import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { onAbort } from "@acp-kit/jsonrpc/internal";

/** The environment variables that name proxies. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for an address, from the variables `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY`, unless `NO_PROXY`
 * contains the host. Lower-case names take precedence. In CGI programs, `HTTP_PROXY` in upper case is ignored, because
 * a request with the header `Proxy` sets it.
 */
export function proxyFor(url: URL, environment: ProxyEnvironment = process.env): URL | undefined {
  const scheme = url.protocol === "https:" || url.protocol === "wss:" ? "https" : "http";
  const isCgi = scheme === "http" && environment.REQUEST_METHOD !== undefined;
  const named =
    environment[`${scheme}_proxy`] ||
    (isCgi ? undefined : environment[`${scheme.toUpperCase()}_PROXY`]) ||
    environment.all_proxy ||
    environment.ALL_PROXY;
  if (!named || isExcluded(url, environment.no_proxy ?? environment.NO_PROXY ?? "")) return undefined;
  const text = named.includes("://") ? named : `http://${named}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isExcluded({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = withoutBrackets(hostname);
  const itsPort = port || (protocol === "https:" || protocol === "wss:" ? "443" : "80");
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    // `[address]:port` or `host:port`; other entries with colons are IPv6 addresses
    const [, itsName = entry, onlyPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    if (onlyPort !== undefined && onlyPort !== itsPort) return false;
    const name = withoutBrackets(itsName.toLowerCase()).replace(/^\*?\./, "");
    return name !== "" && (host === name || host.endsWith(`.${name}`));
  });
}

/** Returns the host name or the address of a URL's host. In a URL, an IPv6 address has brackets. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

/** Returns the header that authenticates to a proxy, if the proxy's URL contains a user or a password. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** Decodes a user or a password. With a `%` that begins no code it is probably not encoded, and stays unchanged. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Opens a tunnel through a proxy. Rejects when the proxy refuses the tunnel, and when the signal aborts. */
export function openTunnel(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = withoutBrackets(proxy.hostname);
    const options = {
      host,
      // Node would take the name from the header `Host`, and verify the proxy's certificate with it.
      servername: isIP(host) === 0 ? host : "",
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...proxyAuthorization(proxy) },
    };
    const request: ClientRequest = proxy.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
    const stopListening = onAbort(signal, () => request.destroy(signal.reason));
    request.once("close", stopListening);
    request.once("connect", (response, socket, head) => {
      stopListening();
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head); // a server of HTTP/2 without TLS may send first
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`The proxy ${proxy.host} refused the tunnel to ${target} with ${response.statusCode}.`));
    });
    request.once("error", (cause) =>
      reject(new Error(`The proxy ${proxy.host} can't be reached: ${cause.message}`, { cause })),
    );
    request.end();
  });
}

/** Returns the `host:port` of an address, as a proxy expects it. */
export function targetOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" || protocol === "wss:" ? 443 : 80)}`;
}
