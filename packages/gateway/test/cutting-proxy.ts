import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy that cuts its connections after a number of bytes from the server, or immediately. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #target: number;
  /**
   * For each following connection, the number of bytes from the server after which it is cut. Later connections are not
   * cut.
   */
  #cuts: number[] = [];
  #isDown = false;
  cutCount = 0;
  /** The number of accepted connections. */
  opened = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
  }

  static async start(target: number): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server, target);
    server.on("connection", (socket) => proxy.#connected(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts the following connections, each after a number of bytes from the server. */
  cutAfter(cuts: readonly number[]): void {
    this.#cuts = [...cuts];
  }

  /** Cuts all connections now. */
  cut(): void {
    for (const pair of [...this.#pairs]) this.#cut(pair);
  }

  /** Cuts all connections, and accepts none until {@link up}. */
  down(): void {
    this.#isDown = true;
    this.cut();
  }

  /** Accepts connections, to another port if it is given. */
  up(target: number = this.#target): void {
    this.#target = target;
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.down();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connected(client: Socket): void {
    client.on("error", () => {});
    if (this.#isDown) {
      client.resetAndDestroy();
      return;
    }
    this.opened += 1;
    const server = connect(this.#target, "127.0.0.1");
    server.on("error", () => {});
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    let left = this.#cuts.shift() ?? Number.POSITIVE_INFINITY;
    client.on("data", (chunk) => server.write(chunk));
    server.on("data", (chunk) => {
      if (chunk.length < left) {
        left -= chunk.length;
        client.write(chunk);
        return;
      }
      client.write(chunk.subarray(0, left), () => this.#cut(pair));
      left = 0;
    });
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", end);
  }

  #cut(pair: readonly [Socket, Socket]): void {
    if (!this.#pairs.delete(pair)) return;
    this.cutCount += 1;
    for (const socket of pair) socket.resetAndDestroy();
  }
}
