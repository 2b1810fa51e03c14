// #region serve
import { createGateway, type StartAgent } from "@acp-kit/gateway";
import { type GatewayServer, replicaLink, serveGateway } from "@acp-kit/gateway/node";
import { redisEngine } from "@acp-kit/gateway-redis";

/**
 * Serves the same sessions as other servers with this engine. Clients may connect to any of these servers, and each
 * server may end at any time.
 */
export async function serveReplica(
  url: string,
  start: StartAgent,
  link: { readonly address: string; readonly secret: string },
): Promise<GatewayServer> {
  const engine = await redisEngine({ url });
  const gateway = await createGateway({ engine, start, link: await replicaLink(link) });
  return serveGateway(gateway);
}
// #endregion serve
