import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { fetchListener } from "./fetch-listener.js";

async function serve(
  handle: Parameters<typeof fetchListener>[0],
  options?: Parameters<typeof fetchListener>[1],
): Promise<number> {
  const server = createServer(fetchListener(handle, options)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Serves an endless body. `cancelled` resolves when the reader of the body has gone. */
async function endless(stallTimeoutMs: number): Promise<{ readonly port: number; readonly cancelled: Promise<void> }> {
  let cancel: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const port = await serve(
    async () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(65_536)), cancel })),
    { stallTimeoutMs },
  );
  return { port, cancelled };
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

it("sends each Set-Cookie header of the response", async () => {
  const cookies = ["session=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "csrf=2"];
  const headers = cookies.map((cookie): [string, string] => ["set-cookie", cookie]);
  const port = await serve(async () => new Response("ok", { headers }));
  expect((await fetch(`http://127.0.0.1:${port}/`)).headers.getSetCookie()).toEqual(cookies);
});

it("responds 500 if the handler returns a response whose body was read before", async () => {
  const response = new Response("hello");
  const port = await serve(async () => response);
  const read = async () => {
    const received = await fetch(`http://127.0.0.1:${port}/`);
    return [received.status, await received.text()];
  };
  expect([await read(), await read()]).toEqual([
    [200, "hello"],
    [500, ""],
  ]);
});

it("responds to HEAD without the body, also if the body can't be cancelled", async () => {
  const cancel = (): never => {
    throw new Error("cancel failed");
  };
  const port = await serve(async () => new Response(new ReadableStream({ cancel })));
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: "HEAD" })).status).toBe(200);
});

it("resets the connection if Node does not accept the status of the response", async () => {
  const port = await serve(async () => Response.error());
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});
