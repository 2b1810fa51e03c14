// #region command
import { relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { spawnAgent } from "@acp-kit/stdio/node";

/**
 * Serves an agent's command unchanged: each connection starts a process. `acp-kit serve --engine none` does the same.
 */
export function serveCommand(command: string, args: readonly string[], token: string): Promise<HttpAgentServer> {
  return serveHttp(
    relayAgent(() => spawnAgent({ command, args })),
    { authenticate: tokenAuthentication(token) },
  );
}
// #endregion command
