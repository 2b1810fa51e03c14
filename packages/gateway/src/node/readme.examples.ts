// #region serve
import { createGateway, type Gateway, type GatewayEventListener } from "@acp-kit/gateway";
import { sqliteEngine } from "@acp-kit/gateway/node";
import { spawnAgent } from "@acp-kit/stdio/node";

/** Serves a stdio agent; sessions are kept in one file. */
export function serveAgent(path: string, command: string, log: GatewayEventListener): Promise<Gateway> {
  return createGateway({
    engine: sqliteEngine({ path }),
    start: ({ session }) => spawnAgent({ command, ...(session && { cwd: session.cwd }) }),
    policy: { sleepAfterMs: 10 * 60_000, delegate: { files: false } },
    onEvent: log,
  });
}
// #endregion serve
