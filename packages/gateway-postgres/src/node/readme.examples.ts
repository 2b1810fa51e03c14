// #region serve
import { createGateway, type StartAgent } from "@acp-kit/gateway";
import { type GatewayServer, replicaLink, serveGateway } from "@acp-kit/gateway/node";
import { postgresEngine } from "@acp-kit/gateway-postgres";

/** One of several servers with the same sessions. Clients may connect to any of them, and any of them may end. */
export async function serveReplica(
  url: string,
  start: StartAgent,
  link: { readonly address: string; readonly secret: string },
): Promise<GatewayServer> {
  const engine = await postgresEngine({ url });
  const gateway = await createGateway({ engine, start, link: await replicaLink(link) });
  return serveGateway(gateway);
}
// #endregion serve
