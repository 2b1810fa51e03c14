import { once } from "node:events";
import { connect as openSocket } from "node:net";
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

/** Resolves when a program accepts connections at the port. */
export async function listening(port: number): Promise<void> {
  const connect = async (): Promise<void> => {
    const socket = openSocket(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  };
  await vi.waitFor(connect, { timeout: 30_000 });
}
