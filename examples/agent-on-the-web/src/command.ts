// #region command
import { relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { spawnAgent } from "@acp-kit/stdio/node";

/** Serves a command, unchanged: each connection is a process of its own. What `acp-kit serve --engine none` does. */
export function serveCommand(command: string, args: readonly string[], token: string): Promise<HttpAgentServer> {
  return serveHttp(
    relayAgent(() => spawnAgent({ command, args })),
    { authenticate: tokenAuthentication(token) },
  );
}
// #endregion command
