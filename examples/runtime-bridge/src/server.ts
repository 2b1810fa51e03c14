import { tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { bridge } from "./bridge.js";
import type { Runtime } from "./runtime.js";

/** Serves the same runtime over HTTP: streams at /acp, requests with their response in the body at /rpc. */
export function serve(runtime: Runtime, token: string): Promise<HttpAgentServer> {
  return serveHttp(bridge(runtime), { authenticate: tokenAuthentication(token), directPath: "/rpc" });
}
