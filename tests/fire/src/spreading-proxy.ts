import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A load balancer for one client. */
export interface SpreadingProxy {
  readonly port: number;
  /**
   * Resets the connections to a server, like a load balancer that detects a dead server. Later connections go to
   * another server.
   */
  leave(port: number): void;
  close(): Promise<void>;
}

/**
 * A TCP proxy that connects a client to a random server. All connections go to the same server until it can't be
 * reached, or closes or resets a connection, because over HTTP all requests of a connection must reach one server.
 *
 * @param ports the ports of the current servers. The caller changes the list.
 */
export async function spreadingProxy(ports: readonly number[]): Promise<SpreadingProxy> {
  const sockets = new Map<Socket, number>();
  let current: number | undefined;
  const choose = (without?: number): number => {
    const others = ports.filter((port) => port !== without);
    return others[Math.floor(Math.random() * others.length)] ?? ports[0] ?? 0;
  };
  const server = createServer((client) => {
    current ??= choose();
    const port = current;
    const upstream = connect(port, "127.0.0.1");
    const lost = (): void => {
      if (current === port) current = choose(port);
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.set(from, port);
      from.on("error", () => {}); // "close" follows
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    upstream.on("error", lost);
    upstream.on("end", lost);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    leave(port) {
      if (current === port) current = choose(port);
      for (const [socket, to] of sockets) if (to === port) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets.keys()) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
