import { socketOf, type WebSocketLike } from "../wire/text-socket.js";
import type { AcpServer } from "./acp-server.js";
import { FetchExchange, toResponse } from "./fetch-exchange.js";
import type { Principal } from "./principal.js";
import { Refusal, replyToError } from "./refusal.js";
import { acceptUpgrade } from "./web-socket-connection.js";

/** What becomes of a WebSocket upgrade; see {@link AcpHandler.upgrade}. */
export type WebSocketUpgrade =
  | {
      readonly is: "accepted";
      /** Headers of the 101 response, with the id of the connection, where the platform lets them be set. */
      readonly headers: Readonly<Record<string, string>>;
      /** The sub-protocol to select; `undefined` when the client offers none of ours. */
      readonly protocol: string | undefined;
      /** Serves the agent over the server's end of the socket, open or about to open; one that is closed gives the connection's place back. Called once. */
      readonly accept: (socket: WebSocketLike) => void;
    }
  /** `Host`, `Origin`, credentials or limits do not allow it: send this response instead. */
  | { readonly is: "refused"; readonly response: Response };

/** Decides over an upgrade on a platform that has `Request` and a standard `WebSocket`. Never rejects. */
export async function upgradeWebSocket<P extends Principal>(
  server: AcpServer<P>,
  request: Request,
): Promise<WebSocketUpgrade> {
  try {
    const { headers, protocol, attach, release } = await acceptUpgrade(server, new FetchExchange(request));
    const accept = (socket: WebSocketLike): void => {
      if (socket.readyState === CONNECTING) {
        socket.addEventListener("open", () => attach(socketOf(socket)));
        socket.addEventListener("close", release); // before it was open; later it does nothing
      } else if (socket.readyState === OPEN) attach(socketOf(socket));
      else release(); // it will never say that it closed
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
