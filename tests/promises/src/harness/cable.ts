import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** The handling of bytes in one direction of a {@link Cable}: `pass` forwards them, `cut` cuts the cable. */
export type Passage = (bytes: Buffer, pass: (bytes: Buffer) => void, cut: () => void) => void;

/**
 * A TCP connection that a test can cut. It accepts connections at its own port and forwards bytes to another port and
 * back.
 */
export class Cable implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #down = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Opens a cable to a port of this machine. `toServer` and `toClient` may cut, delay or hold bytes. */
  static async to(
    port: number,
    { toServer, toClient }: { toServer?: Passage; toClient?: Passage } = {},
  ): Promise<Cable> {
    const server = createServer({ allowHalfOpen: true });
    const cable = new Cable(server);
    server.on("connection", (near) => {
      if (cable.#down) {
        near.destroy();
        return;
      }
      const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      cable.#join(near, far, toServer);
      cable.#join(far, near, toClient);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return cable;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection. No connection can be opened until {@link repair}. */
  cut(): void {
    this.#down = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Allows connections again. */
  repair(): void {
    this.#down = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(from: Socket, to: Socket, passage: Passage | undefined): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    const pass = (bytes: Buffer): void => {
      if (!to.destroyed && !to.write(bytes)) from.pause();
    };
    to.on("drain", () => from.resume());
    from.on("data", (bytes: Buffer) => (passage === undefined ? pass(bytes) : passage(bytes, pass, () => this.cut())));
    from.on("end", () => to.end());
    from.on("error", () => {}); // This closes the socket, too.
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
