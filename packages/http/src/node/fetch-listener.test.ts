import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { createGuard } from "../server/request-guard.js";
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

describe("the body of a request", () => {
  const echo = async (request: Request) => new Response(await request.text());

  it("reaches the handler, over HTTP/1.1 and HTTP/2", async () => {
    const port = await serve(echo);
    const body = "ä".repeat(100_000);
    expect(await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })).text()).toBe(body);

    const server = createHttp2Server(fetchListener(echo)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":method": "PUT", ":path": "/" }).setEncoding("utf8");
    stream.end(body);
    let received = "";
    for await (const chunk of stream) received += chunk;
    expect(received).toBe(body);
  });

  it("arrives no faster than the handler reads it", async () => {
    const reading = deferred();
    const listener = fetchListener(async (request) => {
      if (request.method === "GET") return new Response("ok");
      await reading.promise;
      let size = 0;
      for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) size += chunk.length;
      return new Response(String(size));
    });
    const server = createServer(listener).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const size = 50_000_000;
    const client = connect(port, "127.0.0.1").setEncoding("utf8");
    const [received] = (await once(server, "connection")) as [Socket];
    client.write(`POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${size}\r\n\r\n`);
    client.write(Buffer.alloc(size));
    for (let still = 0, before = 0; still < 20; before = received.bytesRead) {
      await (await fetch(`http://127.0.0.1:${port}/`)).text(); // in this time the server reads what it can
      still = received.bytesRead > 0 && received.bytesRead === before ? still + 1 : 0;
    }
    expect(received.bytesRead).toBeLessThan(1_000_000);
    reading.resolve();
    let response = "";
    for await (const text of client) response += text;
    expect(response).toContain(`\r\n${size}\r\n`); // a chunk of the body
  });

  it.each([
    ["the handler does not read", async () => new Response("no", { status: 413 })],
    [
      "the handler cancels",
      async (request: Request) => {
        await request.body?.cancel();
        return new Response("no", { status: 413 });
      },
    ],
    ["an ACP server refuses", createAcpHandler(echoAgent(), { limits: { maxMessageBytes: 100 } }).fetch],
  ])(
    "remote.refused-bodies: that %s is discarded: the client receives the response, and the connection ends",
    async (_, handle) => {
      const socket = connect(await serve(handle), "127.0.0.1")
        .setEncoding("utf8")
        .pause();
      const size = 8_000_000;
      const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`;
      await new Promise<void>((resolve, reject) => {
        socket.once("close", () => reject(new Error("The socket was reset.")));
        socket.write(head);
        socket.write(Buffer.alloc(size, " "), () => resolve());
      });
      let response = "";
      for await (const text of socket) response += text;
      expect(response).toMatch(/^HTTP\/1.1 413 /);
      expect(response).toMatch(/connection: close/i);
    },
  );

  it("that is cut off rejects in the handler, and harms no other request", async () => {
    const failed = deferred<unknown>();
    const port = await serve(async (request) => {
      if (request.method === "GET") return new Response("ok");
      await request.text().catch((error: unknown) => failed.resolve(error));
      return new Response();
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nbeginning", () => socket.destroy());
    expect(await failed.promise).toBeInstanceOf(Error);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ok");
  });
});

it.each([
  ["TRACE / HTTP/1.1\r\nhost: localhost", 400],
  ["OPTIONS * HTTP/1.1\r\nhost: localhost:80", 200],
  ["GET / HTTP/1.1\r\nhost: bad host", 200],
  ["GET //evil.example HTTP/1.1\r\nhost: localhost", 200],
  ["GET http://evil.example:99999/ HTTP/1.1\r\nhost: localhost", 200],
])("a hostile request gets a response and does not end the server: %s", async (head, status) => {
  const port = await serve(async (request) => new Response(new URL(request.url).host));
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(`${head}\r\nconnection: close\r\n\r\n`);
  let response = "";
  for await (const text of socket) response += text;
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(response).not.toContain("evil");
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

it("a request without Host has no host that a guard allows", async () => {
  const guard = createGuard({ authenticate: "none" });
  const port = await serve((request) => guard(request, async () => new Response("served")));
  for (const target of ["/", "*", "http://localhost/", "//localhost/"]) {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    socket.write(`GET ${target} HTTP/1.0\r\n\r\n`);
    let response = "";
    for await (const text of socket) response += text;
    expect(response, target).toMatch(/^HTTP\/1\.1 403 /);
  }
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("served");
});
