import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { mcpTools } from "@acp-kit/mcp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BothEras } from "../eras.js";
import { ServedServer } from "../served-server.js";
import { HttpListener } from "./http-listener.js";
import type { LocalServer } from "./local-server.js";

let flooded = deferred<string>();
const source = mcpTools("tools", {
  fast: { description: "Answers", run: () => "fast" },
  large: { description: "Answers with much", run: () => "x".repeat(8_000_000) },
  flood: {
    description: "Reports progress until it is aborted",
    run: async (_, { signal, progress }) => {
      signal.addEventListener("abort", () => flooded.resolve(signal.reason.message));
      for (let n = 1; !signal.aborted; n += 1) {
        progress(n, undefined, "x".repeat(100_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  },
});

let listener: HttpListener;
const sockets: Socket[] = [];
beforeEach(() => {
  flooded = deferred();
});

async function listen(limits: { bodyTimeoutMs?: number; readerTimeoutMs?: number }): Promise<void> {
  const session = { cwd: "/", id: Promise.resolve("s"), signal: new AbortController().signal };
  const server = new ServedServer(
    "tools",
    source.open(session, () => {}),
    () => {},
  );
  const { signal } = new AbortController();
  const local: LocalServer = { eras: new BothEras(server), closed: signal, isToken: (token) => token === "t" };
  const all = { bodyTimeoutMs: 30_000, readerTimeoutMs: 30_000, ...limits };
  listener = await HttpListener.open(new Map([["path", local]]), all);
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  listener.close();
});

const call = (name: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, _meta: { progressToken: 1 } } });

function headersOf(length: number, accept = "application/json"): string {
  const lines = [`host: 127.0.0.1:${listener.port}`, "authorization: Bearer t", "content-type: application/json"];
  return ["POST /path HTTP/1.1", ...lines, `accept: ${accept}`, `content-length: ${length}`, "", ""].join("\r\n");
}

function opened(text: string): Socket {
  const socket = connect(listener.port, "127.0.0.1");
  sockets.push(socket.on("error", () => {}));
  socket.write(text);
  return socket;
}

/** Another client calls meanwhile. */
async function isFast(): Promise<boolean> {
  const headers = { authorization: "Bearer t", "content-type": "application/json" };
  const url = `http://127.0.0.1:${listener.port}/path`;
  const response = await fetch(url, { method: "POST", headers, body: call("fast") });
  return (await response.text()).includes('"fast"');
}

describe("mcp.slow: a slow client of the HTTP bridge is disconnected, and others are served meanwhile", () => {
  it.each([
    ["headers", "POST /path HTTP/1.1\r\nhost: 127.0.0.1\r\n"],
    ["a body", undefined],
  ])("one that never ends %s", async (_, text) => {
    await listen({ bodyTimeoutMs: 2_400 });
    const socket = opened(text ?? `${headersOf(1_000)}{"jsonrpc"`);
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    await expect.poll(isFast, { timeout: 10_000 }).toBe(true); // on a busy machine, it can be as slow as the other
    await once(socket, "close");
    expect(received).not.toContain("200 OK");
  });

  it("one that does not read the end of a response", async () => {
    await listen({ readerTimeoutMs: 300 });
    const socket = opened(headersOf(Buffer.byteLength(call("large"))) + call("large"));
    socket.pause();
    await once(socket, "ready");
    await expect.poll(isFast, { timeout: 10_000 }).toBe(true); // on a busy machine, it can be as slow as the other
    const closed = new Promise<number>((resolve) => {
      let size = 0;
      socket.on("data", (data) => {
        size += data.length;
      });
      socket.once("close", () => resolve(size));
      socket.pause(); // a listener of data resumes it
    });
    await expect.poll(() => isGone(socket), { timeout: 10_000 }).toBe(true);
    expect(await closed).toBeLessThan(8_000_000);
  });

  it("one that does not read the progress of a call, which is aborted", async () => {
    await listen({});
    const socket = opened(headersOf(Buffer.byteLength(call("flood")), "text/event-stream") + call("flood"));
    socket.pause();
    await expect.poll(isFast, { timeout: 10_000 }).toBe(true); // on a busy machine, it can be as slow as the other
    expect(await flooded.promise).toBe("The agent closed the request");
  });
});

/** Writes to a connection that the other side may have ended. */
function isGone(socket: Socket): boolean {
  if (!socket.destroyed) socket.write("x");
  return socket.destroyed;
}
