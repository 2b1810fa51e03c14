import { socketOf, type WebSocketLike } from "../wire/text-socket.js";
import type { AcpServer } from "./acp-server.js";
import { FetchExchange, toResponse } from "./fetch-exchange.js";
import type { Principal } from "./principal.js";
import { Refusal, replyToError } from "./refusal.js";
import { acceptUpgrade } from "./web-socket-connection.js";

/** The decision about a WebSocket upgrade; see {@link AcpHandler.upgrade}. */
export type WebSocketUpgrade =
  | {
      readonly is: "accepted";
      /** Headers for the 101 response, with the id of the connection. Set them if the platform allows it. */
      readonly headers: Readonly<Record<string, string>>;
      /** The sub-protocol to select; `undefined` if the client does not offer `acp`. */
      readonly protocol: string | undefined;
      /** Serves the agent over an opening or open socket. A closed one only ends the connection. Call it once. */
      readonly accept: (socket: WebSocketLike) => void;
    }
  /** `Host`, `Origin`, credentials or limits do not allow the upgrade. Send `response` to the client. */
  | { readonly is: "refused"; readonly response: Response };

/** Accepts or refuses an upgrade on a platform with `Request` and standard sockets. Never rejects. */
export async function upgradeWebSocket<P extends Principal>(
  server: AcpServer<P>,
  request: Request,
): Promise<WebSocketUpgrade> {
  try {
    const { headers, protocol, attach, release } = await acceptUpgrade(server, new FetchExchange(request));
    const accept = (socket: WebSocketLike): void => {
      if (socket.readyState === CONNECTING) {
        socket.addEventListener("open", () => attach(socketOf(socket)));
        socket.addEventListener("close", release); // has no effect after the socket has opened
      } else if (socket.readyState === OPEN) attach(socketOf(socket));
      else release(); // a closed socket emits no more events
    };
    return { is: "accepted", headers, protocol, accept };
  } catch (error) {
    if (!(error instanceof Refusal)) server.onError?.(error);
    return { is: "refused", response: toResponse(replyToError(error)) };
  }
}

/** `WebSocket.CONNECTING` and `WebSocket.OPEN`. */
const CONNECTING = 0;
const OPEN = 1;
