import { loopbackHosts } from "../server/access.js";
import type { AcpHandlerOptions } from "../server/handler-options.js";

/**
 * Returns the options of a server with the address on which it listens among the allowed hosts. Options that have
 * `allowedHosts` stay unchanged, and so do those of a server that listens on all addresses of its machine.
 */
export function withListeningHost<O extends Pick<AcpHandlerOptions, "allowedHosts">>(options: O, host: string): O {
  const name = nameInUrl(host);
  const isWildcard = name === "0.0.0.0" || name === "[::]";
  if (options.allowedHosts !== undefined || isWildcard) return options;
  return { ...options, allowedHosts: [...loopbackHosts, name] };
}

/** Returns a host as in the URLs of requests, and so in the header `Host`. An address has one form there. */
function nameInUrl(host: string): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}
