import type { WebSocketLike } from "@acp-kit/http";
import { handler } from "./handler.js";

declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen: (address: { port: number }) => void },
    fetch: typeof handler.fetch,
  ): unknown;
  upgradeWebSocket(request: Request, options: { protocol: string }): { socket: WebSocketLike; response: Response };
};

async function fetch(request: Request): Promise<Response> {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return handler.fetch(request);
  const upgrade = await handler.upgrade(request);
  if (upgrade.is === "refused") return upgrade.response;
  const { socket, response } = Deno.upgradeWebSocket(request, { protocol: upgrade.protocol ?? "" });
  upgrade.accept(socket);
  return response;
}

const onListen = ({ port }: { port: number }): void => console.log(`http://127.0.0.1:${port}/acp`);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, fetch);
