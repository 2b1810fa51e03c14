import { type ConnectionContext, type Principal, Refusal, type ServedAgent } from "@acp-kit/http";
import { RpcError } from "@acp-kit/jsonrpc";
import type { Gateway } from "../gateway.js";
import { gatewayErrorReason } from "../gateway-error.js";
import type { GatewayPrincipal } from "../principal.js";

/**
 * The authenticated caller of a gateway at a URL. The function `authenticate` returns it. A missing `tenant` means the
 * empty string.
 */
export type GatewayCaller = Principal;

/** Converts a caller to the principal of the gateway. */
export function principalOf({ tenant = "", user, access }: GatewayCaller): GatewayPrincipal {
  return { tenant, user, ...(access !== undefined && { access }) };
}

/**
 * Returns a gateway in the form of an agent that `serveHttp` and `createAcpHandler` can serve. They pass the
 * authenticated principal. `serveGateway` of `@acp-kit/gateway/node` and `createGatewayHandler` call this function and
 * also serve the other paths of a gateway.
 */
export function gatewayAgent(gateway: Gateway): (context: ConnectionContext<GatewayCaller>) => ServedAgent {
  return ({ principal }) => {
    if (gateway.status().isDraining) throw draining();
    return {
      connect: (transport) => {
        try {
          const connection = gateway.accept(transport, principalOf(principal));
          return { closed: connection.closed, close: () => connection.close() };
        } catch (error) {
          throw refusalOf(error);
        }
      },
    };
  };
}

function draining(): Refusal {
  return new Refusal(503, "The server is being shut down.", { headers: { "retry-after": "1" } });
}

/** Converts an error of `accept` to an HTTP response that refuses the connection. */
function refusalOf(error: unknown): unknown {
  const reason = gatewayErrorReason(error);
  if (reason === "draining") return draining();
  if (reason !== "limit" || !(error instanceof RpcError)) return error;
  const { limit } = error.data as { readonly limit?: string };
  return new Refusal(429, error.message, { headers: { "retry-after": "5" }, ...(limit !== undefined && { limit }) });
}
