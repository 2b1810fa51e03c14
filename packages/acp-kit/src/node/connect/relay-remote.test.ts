import { PassThrough, type Readable } from "node:stream";
import type { ServedAgent } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import type { Transport } from "@acp-kit/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { relayRemote } from "./relay-remote.js";

type Message = Parameters<Transport["send"]>[0];

const servers: HttpAgentServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server whose agent passes each message but `initialize` to `onMessage`. */
async function serve(
  onMessage: (message: Message, transport: Transport, size: number) => void,
): Promise<HttpAgentServer> {
  const agent: ServedAgent = {
    connect(transport) {
      let end = (): void => {};
      const closed = new Promise<void>((resolve) => {
        end = resolve;
      });
      transport.start({
        message(value, size) {
          const message = value as Message;
          if ("method" in message && message.method === "initialize" && "id" in message) {
            transport.send({ jsonrpc: "2.0", id: message.id, result: { protocolVersion: 1 } });
          } else onMessage(message, transport, size);
        },
        malformed() {},
        ended: () => end(),
        failed: () => end(),
      });
      return { closed, close: () => transport.close() };
    },
  };
  const server = await serveHttp(agent);
  servers.push(server);
  return server;
}

/** A client whose streams are in this process. */
function client(url: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const relayed = relayRemote({ url: new URL(url), token: undefined }, { input, output, stop: stop.signal });
  relayed.catch(() => {});
  return { input, output, stop, relayed };
}

const lineOf = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const initialize = lineOf({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The next line of a stream, which is read no further than its chunks. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

const filler = "x".repeat(16_384);
const COUNT = 1_000;
/** What may be on the way: of 16 MB, the queues of both transports and of the operating system. */
const MOST_AHEAD = COUNT / 2;

describe.each(["url", "webSocketUrl"] as const)("over the %s", (profile) => {
  it("if the server refuses the folder of an editor, the session works in the folder of the server", async () => {
    const received: unknown[] = [];
    const server = await serve((message, transport) => {
      if (!("method" in message) || !("id" in message)) return;
      const { id, params } = message;
      received.push(params);
      const error = { code: -32602, message: "No", data: { reason: "folder_not_allowed" } };
      const isServers = (params as { readonly cwd?: string }).cwd === "/";
      transport.send({ jsonrpc: "2.0", id, ...(isServers ? { result: { sessionId: "s" } } : { error }) });
    });
    const { input, output, relayed } = client(server[profile]);
    input.write(initialize);
    const lines = linesOf(output);
    await lines.next();
    const params = { cwd: "/home/me/project", additionalDirectories: ["/home/me/other"], mcpServers: [] };
    input.write(lineOf({ id: 1, method: "session/new", params }));
    const { value } = await lines.next();
    expect(JSON.parse(String(value))).toEqual({ jsonrpc: "2.0", id: 1, result: { sessionId: "s" } });
    expect(received).toEqual([params, { cwd: "/", mcpServers: [] }]);
    input.end();
    await relayed;
  });

  it("remote.connect-back-pressure: a client that reads slowly pauses the agent, and gets all messages in order", async () => {
    let sent = 0;
    let received = 0;
    let mostAhead = 0;
    const flood = async (transport: Transport): Promise<void> => {
      while (sent < COUNT) {
        transport.send({ jsonrpc: "2.0", method: "_flood", params: { number: sent, filler } });
        sent += 1;
        mostAhead = Math.max(mostAhead, sent - received);
        await (transport.full ?? turn());
      }
    };
    const server = await serve((_message, transport) => void flood(transport));
    const { input, output, relayed } = client(server[profile]);
    input.write(initialize);
    const lines = linesOf(output);
    await lines.next();
    input.write(lineOf({ method: "_go" }));
    for (; received < COUNT; received += 1) {
      const { value } = await lines.next();
      expect(JSON.parse(String(value)).params.number).toBe(received);
      for (let wait = 0; wait < 4; wait += 1) await turn();
    }
    input.end();
    await relayed;
    expect(mostAhead).toBeLessThan(MOST_AHEAD);
  });

  it("remote.connect-back-pressure: an agent that reads slowly pauses the client, and gets all messages in order", async () => {
    let sent = 0;
    let received = 0;
    let mostAhead = 0;
    let all = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      all = resolve;
    });
    const numbers: unknown[] = [];
    const server = await serve((message, transport) => {
      numbers.push((message as { params: { number: number } }).params.number);
      received += 1;
      if (received === COUNT) all();
      transport.pause();
      void (async () => {
        for (let wait = 0; wait < 4; wait += 1) await turn();
        transport.resume();
      })();
    });
    const { input, output, relayed } = client(server[profile]);
    input.write(initialize);
    await linesOf(output).next();
    while (sent < COUNT) {
      const hasRoom = input.write(lineOf({ method: "_flood", params: { number: sent, filler } }));
      sent += 1;
      mostAhead = Math.max(mostAhead, sent - received);
      if (hasRoom) await turn();
      else await new Promise((resolve) => input.once("drain", resolve));
    }
    await arrived;
    input.end();
    await relayed;
    expect(numbers).toEqual(Array.from({ length: COUNT }, (_, number) => number));
    expect(mostAhead).toBeLessThan(MOST_AHEAD);
  });

  it("ends the remote connection at the end of the client's input, or when stop aborts", async () => {
    const server = await serve(() => {});
    const one = client(server[profile]);
    one.input.write(initialize);
    await linesOf(one.output).next();
    one.input.end();
    await one.relayed;
    const other = client(server[profile]);
    other.input.write(initialize);
    await linesOf(other.output).next();
    expect(server.connections).toBeGreaterThan(0);
    other.stop.abort();
    await other.relayed;
    await server.close();
    expect(server.connections).toBe(0);
  });

  // Over HTTP it would try to continue for half a minute.
  it.runIf(profile === "webSocketUrl")("rejects with a reason when the server closes", async () => {
    const server = await serve(() => {});
    const { input, output, relayed } = client(server[profile]);
    input.write(initialize);
    await linesOf(output).next();
    await server.close();
    await expect(relayed).rejects.toThrow(/127\.0\.0\.1/);
  });
});
