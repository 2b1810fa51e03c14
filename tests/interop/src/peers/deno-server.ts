// A server of Deno with the everything agent. It prints its port. `/connections` returns the number of connections.
import { everythingAgent } from "@acp-kit/everything-agent";
import { createAcpHandler, tokenAuthentication, type WebSocketLike } from "@acp-kit/http";

declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen: (address: { port: number }) => void },
    fetch: (request: Request) => Promise<Response>,
  ): unknown;
  upgradeWebSocket(request: Request, options: { protocol?: string }): { socket: WebSocketLike; response: Response };
};

const handler = createAcpHandler(everythingAgent(), {
  authenticate: tokenAuthentication("secret"),
  limits: { keepAliveMs: 3_600_000 }, // No keep-alive comment must open a stream that the server fails to open.
});

async function fetch(request: Request): Promise<Response> {
  if (request.url.endsWith("/connections")) return new Response(`${handler.connections}`);
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return handler.fetch(request);
  const upgrade = await handler.upgrade(request);
  if (upgrade.is === "refused") return upgrade.response;
  const { protocol } = upgrade;
  const { socket, response } = Deno.upgradeWebSocket(request, protocol === undefined ? {} : { protocol });
  upgrade.accept(socket);
  return response;
}

Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) }, fetch);
