import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to a server whose connections are cut repeatedly. */
export interface CuttingProxy {
  readonly port: number;
  /** The number of times that it has cut all sockets. */
  readonly cuts: number;
  /** Cuts all sockets after each number of bytes from the server, `cuts` times in all. Then it only forwards bytes. */
  cutEvery(bytes: number, cuts: number): void;
  /** Resets every socket now. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * A TCP proxy for a port. It resets connections while bytes are in transit, so that bytes in both directions are lost.
 */
export async function cuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let [cuts, left, every, passed] = [0, 0, 0, 0];
  const cut = (): void => {
    cuts += 1;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {}); // "close" follows
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      passed += chunk.length;
      if (left > 0 && passed >= every) {
        passed = 0;
        left -= 1;
        client.write(chunk.subarray(0, chunk.length >> 1)); // half of it may arrive
        cut();
        return;
      }
      if (!client.write(chunk)) {
        upstream.pause();
        client.once("drain", () => upstream.resume());
      }
    });
    upstream.on("end", () => client.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    cutEvery(bytes, count) {
      [every, left, passed] = [bytes, count, 0];
    },
    cut,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
