// A server of Bun with the everything agent. It prints its port. `/connections` returns the number of connections.
import { everythingAgent } from "@acp-kit/everything-agent";
import { type BunHandlers, bunHandlers, createAcpHandler, tokenAuthentication } from "@acp-kit/http";

declare const Bun: {
  serve(options: BunHandlers & { port: number; hostname: string; idleTimeout: number }): { port: number };
};

const handler = createAcpHandler(everythingAgent(), {
  authenticate: tokenAuthentication("secret"),
  limits: { keepAliveMs: 3_600_000 }, // No keep-alive comment must open a stream that the server fails to open.
});
const { fetch, websocket } = bunHandlers(handler);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 60,
  websocket,
  fetch: async (request, server) =>
    request.url.endsWith("/connections") ? new Response(`${handler.connections}`) : fetch(request, server),
});
console.log(server.port);
