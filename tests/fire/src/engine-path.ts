import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The network between one program and a server of an engine: a TCP proxy with faults. */
export interface EnginePath {
  /** The port that replaces the port of the server. */
  readonly port: number;
  /** Stops to pass bytes, in both directions. Connections stay open, as behind a broken switch. */
  cut(): void;
  /** Passes the delayed bytes, and later ones. */
  mend(): void;
  /** Closes all connections, and leads later ones to another server. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Opens a path to a port of this machine. */
export async function enginePath(to: number): Promise<EnginePath> {
  const sockets = new Set<Socket>();
  let [target, isCut] = [to, false];
  const pipe = (from: Socket, into: Socket): void => {
    sockets.add(from);
    from.on("data", (bytes) => {
      if (!into.write(bytes)) from.pause();
    });
    into.on("drain", () => {
      if (!isCut) from.resume();
    });
    from.on("error", () => {}); // "close" follows
    from.on("close", () => {
      sockets.delete(from);
      into.destroy();
    });
    if (isCut) from.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    pipe(client, upstream);
    pipe(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    leadTo(port) {
      target = port;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
