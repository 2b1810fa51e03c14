import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { fetchListener } from "./fetch-listener.js";

/** Serves an endless body. `cancelled` resolves when the reader of the body has gone. */
async function endless(stallTimeoutMs: number): Promise<{ readonly port: number; readonly cancelled: Promise<void> }> {
  let cancel: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const listener = fetchListener(
    async () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(65_536)), cancel })),
    { stallTimeoutMs },
  );
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, cancelled };
}

it("remote.stalled-readers: the connection of a client that reads nothing of a response is reset after stallTimeoutMs", async () => {
  const { port, cancelled } = await endless(50);
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {}); // the reset
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await cancelled;
  socket.resume();
  await once(socket, "close");
});

it("remote.stalled-readers: the connection of a client that reads slowly continues", async () => {
  const { port } = await endless(2_000);
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  let received = 0;
  for await (const chunk of socket) {
    received += (chunk as Buffer).length;
    if (received > 20_000_000) break;
  }
  expect(received).toBeGreaterThan(20_000_000);
});
