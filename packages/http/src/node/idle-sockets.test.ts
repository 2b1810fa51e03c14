import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { HttpPort } from "./http-port.js";
import type { NodeResponse } from "./node-exchange.js";

function selfSigned(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-idle-sockets-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
    execFileSync("openssl", [...args, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A port that keeps two sockets without a request. `responses` has the responses that are still to be sent. */
async function listen(tls?: { readonly key: string; readonly cert: string }) {
  const responses: NodeResponse[] = [];
  let arrived = deferred();
  const port = new HttpPort(
    {
      request: (_, response) => {
        responses.push(response);
        arrived.resolve();
      },
      upgrade: () => arrived.resolve(),
    },
    { tls, headersTimeoutMs: 60_000, keepAliveMs: 60_000, pongTimeoutMs: 60_000, maxIdleSockets: 2 },
  );
  onTestFinished(() => port.close());
  const { port: number } = await port.listen("127.0.0.1", 0);
  return {
    number,
    responses,
    async request() {
      await arrived.promise;
      arrived = deferred();
    },
  };
}

/** Opens a socket without a request. */
async function silent(port: number): Promise<{ readonly socket: Socket; readonly closed: Promise<unknown> }> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  return { socket, closed };
}

describe("remote.shares: sockets without a request", () => {
  it("have a common limit: the one that has been idle longest is closed", async () => {
    const { number } = await listen();
    const [first, second] = [await silent(number), await silent(number)];
    await silent(number);
    await first.closed;
    expect(second.socket.destroyed).toBe(false);
  });

  it.each([
    ["a request over HTTP/1.1", "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["a WebSocket", "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
  ])("take no place from %s, however old it is", async (_, text) => {
    const port = await listen();
    const { socket } = await silent(port.number);
    socket.write(text);
    await port.request();
    const others = [await silent(port.number), await silent(port.number), await silent(port.number)];
    await others[0]?.closed;
    expect(socket.destroyed).toBe(false);
  });

  it("are also those whose request has ended", async () => {
    const port = await listen();
    const { socket, closed } = await silent(port.number);
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await port.request();
    port.responses[0]?.end();
    await once(socket, "data");
    await silent(port.number);
    await silent(port.number);
    await closed;
  });

  it.each([
    ["without TLS", undefined],
    ["over TLS", selfSigned()],
  ])("take no place from a session of HTTP/2 %s that has a request", async (_, tls) => {
    const port = await listen(tls);
    const scheme = tls === undefined ? "http" : "https";
    const session = connectHttp2(`${scheme}://127.0.0.1:${port.number}`, { rejectUnauthorized: false });
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":path": "/" });
    await port.request();
    const others = [await silent(port.number), await silent(port.number), await silent(port.number)];
    await others[0]?.closed;
    port.responses[0]?.end();
    stream.resume();
    await once(stream, "end");
    const closed = once(session, "close");
    await silent(port.number);
    await silent(port.number);
    await closed; // it is the oldest one without a request now
  });

  it("over TLS are also those whose handshake has ended", async () => {
    const { number } = await listen(selfSigned());
    const socket = connectTls({ port: number, host: "127.0.0.1", rejectUnauthorized: false });
    socket.on("error", () => {}).resume();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await once(socket, "secureConnect");
    await silent(number);
    await silent(number);
    await closed;
  });
});
