import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { PostgresLink } from "./postgres-link.js";

/** A message of PostgreSQL's protocol: its type, its length with the four bytes of the length, and its content. */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const authenticated = message("R", Buffer.alloc(4));
const ready = message("Z", Buffer.from("I"));
const shutdown = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Munexpected postmaster exit\0\0"));

test("gateway.outage: a server that ends while a connection opens makes the statement fail, and nothing else", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, shutdown])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtException", onUncaught);
  const link = new PostgresLink({ url, where: "here", timeoutMs: 5_000, connections: 2 }, '"channel"');
  for (let i = 0; i < 3; i++) await expect(link.open()).rejects.toMatchObject({ code: "unavailable" });
  await link.close();
  server.close();
  await once(server, "close");
  process.off("uncaughtException", onUncaught);
  expect(uncaught).toEqual([]);
});
