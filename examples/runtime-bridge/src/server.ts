import { tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { bridge } from "./bridge.js";
import type { Runtime } from "./runtime.js";

/**
 * Serves a runtime over HTTP. At /acp, clients connect over streamable HTTP or WebSocket. At /rpc, each POST gets its
 * response in the HTTP body.
 */
export function serve(runtime: Runtime, token: string): Promise<HttpAgentServer> {
  return serveHttp(bridge(runtime), { authenticate: tokenAuthentication(token), directPath: "/rpc" });
}
