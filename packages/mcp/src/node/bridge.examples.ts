// #region serve
import { relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { mcpBridge } from "@acp-kit/mcp/node";
import { spawnAgent } from "@acp-kit/stdio/node";

/** Serves an agent at a URL. Pages can give it tools. */
export function serve(command: string, args: readonly string[], token: string): Promise<HttpAgentServer> {
  const bridge = mcpBridge();
  const agent = relayAgent(() => bridge(spawnAgent({ command, args })));
  return serveHttp(agent, { authenticate: tokenAuthentication(token) });
}
// #endregion serve
