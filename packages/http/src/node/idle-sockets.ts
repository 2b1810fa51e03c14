import type { Socket } from "node:net";

/** The sockets without a request that a server keeps. */
const MAX_IDLE_SOCKETS = 4_096;

/** A socket, as its TCP, TLS and HTTP/2 layers present it. */
type SocketLayer = Pick<Socket, "remoteAddress" | "remotePort">;

/**
 * The sockets of a server. Those without a running request have a common limit, because no user is authenticated on
 * them: above it, the socket that has been idle longest is destroyed. So clients that only open sockets take no place
 * from others, whose sockets get a request at once.
 */
export class IdleSockets {
  readonly #max: number;
  /**
   * The open sockets by their peer, which all layers of a socket know. A server listens only on TCP, so it is unique.
   */
  readonly #open = new Map<string, { readonly socket: Socket; running: number }>();
  /** The peers of the sockets without a request, the longest idle first. */
  readonly #idle = new Set<string>();

  constructor(max: number = MAX_IDLE_SOCKETS) {
    this.#max = max;
  }

  add(socket: Socket): void {
    const peer = peerOf(socket);
    this.#open.set(peer, { socket, running: 0 });
    this.#setIdle(peer);
    socket.once("close", () => {
      if (this.#open.get(peer)?.socket !== socket) return;
      this.#open.delete(peer);
      this.#idle.delete(peer);
    });
  }

  /** Counts a request on a socket. Returns a function that ends it. */
  begin(layer: SocketLayer): () => void {
    const peer = peerOf(layer);
    const entry = this.#open.get(peer);
    if (entry === undefined) return () => {};
    entry.running += 1;
    this.#idle.delete(peer);
    return () => {
      entry.running -= 1;
      if (entry.running === 0 && this.#open.get(peer) === entry) this.#setIdle(peer);
    };
  }

  destroyAll(): void {
    for (const { socket } of [...this.#open.values()]) socket.destroy();
  }

  #setIdle(peer: string): void {
    this.#idle.add(peer);
    if (this.#idle.size <= this.#max) return;
    const [oldest = ""] = this.#idle;
    this.#idle.delete(oldest);
    this.#open.get(oldest)?.socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: SocketLayer): string {
  return `${remoteAddress} ${remotePort}`;
}
