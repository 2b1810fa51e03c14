import type { Socket } from "node:net";
import { FrameReader, frameBytes } from "./link-frames.js";

/** Options of a {@link LinkPeer}. */
export interface LinkPeerOptions {
  /** Opens a connection to the replica. The {@link LinkPeer} adds a listener for the `error` of the returned socket. */
  readonly connect: () => Socket;
  /**
   * How long the connection may make no progress while a message waits for its receipt, in milliseconds. Then the
   * connection is closed.
   */
  readonly timeoutMs: number;
  /** The maximum number of queued bytes. */
  readonly maxBytes: number;
}

/** The pause before another attempt to reach a replica, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * The connection to one other replica. The first message opens the connection. If the connection is lost, the next
 * message opens it again.
 */
export class LinkPeer {
  readonly #options: LinkPeerOptions;
  readonly #waiting = new Map<number, (arrived: boolean) => void>();
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #numbers = 0;
  #pausedUntil = 0;

  constructor(options: LinkPeerOptions) {
    this.#options = options;
  }

  /** Whether a message waits for its receipt, or the pause after a failed connection is not over. */
  get isInUse(): boolean {
    return this.#waiting.size > 0 || performance.now() < this.#pausedUntil;
  }

  /** Sends a message and waits for its receipt. Resolves with `false` without a receipt. Never rejects. */
  send(to: string, message: string): Promise<boolean> {
    if (performance.now() < this.#pausedUntil) return Promise.resolve(false);
    const socket = this.#socket ?? this.#connect();
    const number = ++this.#numbers;
    const bytes = frameBytes({ number, to, message });
    if (socket.writableLength + bytes.length > this.#options.maxBytes) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#waiting.set(number, (arrived) => {
        this.#waiting.delete(number);
        resolve(arrived);
      });
      socket.write(bytes);
      this.#timer ??= this.#watch(socket, this.#left(socket));
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  /** Ends a connection that makes no progress, because the replica may be frozen or the network interrupted. */
  #watch(socket: Socket, before: string): NodeJS.Timeout {
    return setTimeout(() => {
      const left = this.#left(socket);
      if (left === before && this.#waiting.size > 0) socket.destroy();
      this.#timer = left === before || this.#waiting.size === 0 ? undefined : this.#watch(socket, left);
    }, this.#options.timeoutMs);
  }

  /**
   * Returns a text that is different after any progress. It contains the number of unsent bytes and the number of the
   * oldest message without a receipt.
   */
  #left(socket: Socket): string {
    const [oldest = 0] = this.#waiting.keys();
    return `${socket.writableLength} ${oldest}`;
  }

  #connect(): Socket {
    const socket = this.#options.connect();
    const reader = new FrameReader(1_024);
    this.#socket = socket;
    socket.on("error", () => {}); // the event "close" follows
    socket.on("close", () => {
      this.#socket = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      for (const settle of [...this.#waiting.values()]) settle(false);
    });
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk))
          if ("arrived" in frame) this.#waiting.get(frame.number)?.(frame.arrived);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    return socket;
  }
}
