import { once } from "node:events";
import { type AddressInfo, createServer, connect as openSocket } from "node:net";
import { expect, vi } from "vitest";

/** Replaces each key of `replacements`. Each key has to occur, so that a configuration and its test change together. */
export function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    expect(result).toContain(from);
    result = result.replaceAll(from, to);
  }
  return result;
}

/** Returns a port of loopback that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves when a program accepts connections at the port. */
export async function listening(port: number): Promise<void> {
  const connect = async (): Promise<void> => {
    const socket = openSocket(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  };
  await vi.waitFor(connect, { timeout: 30_000 });
}
