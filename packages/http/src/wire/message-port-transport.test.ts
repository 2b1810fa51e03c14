import { MessageChannel } from "node:worker_threads";
import { connectAgent } from "@acp-kit/client";
import { Connection, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { bridgeTransports } from "./bridge.js";
import { type MessagePortLike, messagePortTransport } from "./message-port-transport.js";

/** Two joined ports as transports. */
function ports(options = {}): [Transport, Transport, MessagePortLike] {
  const { port1, port2 } = new MessageChannel();
  const [a, b] = [port1, port2] as unknown as [MessagePortLike, MessagePortLike];
  return [messagePortTransport(a, options), messagePortTransport(b, options), a];
}

describe("a MessagePort", () => {
  it("connects a client and an agent", async () => {
    const [ours, theirs] = ports();
    const served = echoAgent().connect(theirs);
    const agent = await connectAgent(ours);
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("hello");
    const texts = [];
    for await (const update of turn) texts.push(update.sessionUpdate);
    expect(texts).toEqual(["agent_message_chunk"]);
    await agent.close();
    expect((await served.closed).code).toBe("peer_closed");
  });

  it("can't have a limit that is NaN, which would be no limit", () => {
    expect(() => ports({ maxUnreadMessages: Number.NaN })).toThrow(
      new TypeError("options.maxUnreadMessages must be a number from 0 to Infinity, not NaN"),
    );
  });

  it("applies back-pressure to the sender if the peer does not read", async () => {
    const [ours, theirs] = ports({ highWaterMarkMessages: 64 });
    const received: unknown[] = [];
    const collect = (message: unknown) => void received.push(message);
    const ignore = { malformed: () => {}, ended: () => {}, failed: () => {} };
    theirs.start({ message: collect, ...ignore });
    ours.start({ message: () => {}, ...ignore });
    await expect
      .poll(() => {
        ours.send({ jsonrpc: "2.0", method: "x" });
        return received.length;
      })
      .toBeGreaterThan(0);
    theirs.pause();
    while (ours.full === undefined) ours.send({ jsonrpc: "2.0", method: "x" });
    const { full } = ours;
    theirs.resume();
    await full;
    await ours.close();
  });

  it.each([1, 15, 20, 33])(
    "continues when the peer has read everything, with highWaterMarkMessages: %i",
    async (mark) => {
      const [ours, theirs] = ports({ highWaterMarkMessages: mark });
      const ignore = { malformed: () => {}, ended: () => {}, failed: () => {} };
      let read = 0;
      let change = () => {};
      theirs.start({ message: () => change(), ...ignore });
      const allRead = new Promise<void>((resolve) => {
        change = () => {
          read += 1;
          if (read === 200) resolve();
        };
      });
      ours.start({ message: () => {}, ...ignore });
      for (let sent = 0; sent < 200; ) {
        for (let burst = 0; burst < 4; burst += 1, sent += 1) ours.send({ jsonrpc: "2.0", method: "x" });
        if (sent === 4) await expect.poll(() => read).toBe(4); // the sender knows now that the peer acknowledges
        await ours.full;
      }
      await allRead;
      await ours.close();
    },
  );

  it("ends with an error if the peer ignores back-pressure and sends more than maxUnreadMessages", async () => {
    const [, theirs, port] = ports({ maxUnreadMessages: 3 });
    const received: unknown[] = [];
    const failed = new Promise((resolve) => {
      const ignore = { malformed: () => {}, ended: () => {} };
      theirs.start({ message: (message) => received.push(message), failed: resolve, ...ignore });
    });
    theirs.pause();
    for (let count = 0; count < 4; count += 1) port.postMessage({ count });
    expect(await failed).toMatchObject({
      name: "RemoteError",
      code: "overflow",
      message: expect.stringContaining("maxUnreadMessages"),
    });
    theirs.resume();
    expect(received).toEqual([]);
  });

  it("delivers unread messages in order when reading continues, then the end", async () => {
    const [, theirs, port] = ports();
    const received: unknown[] = [];
    const ended = new Promise<void>((resolve) => {
      theirs.start({
        message: (message) => received.push(message),
        malformed: () => {},
        ended: resolve,
        failed: () => {},
      });
    });
    theirs.pause();
    for (const value of [{}, "two", null]) port.postMessage(value);
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toEqual([]);
    theirs.resume();
    await ended;
    expect(received).toEqual([{}, "two"]);
  });

  it("skips a message that is nested too deep, and reports it", async () => {
    const [, theirs, port] = ports();
    let deep: unknown = {};
    for (let level = 0; level < 1_000; level += 1) deep = [deep];
    const malformed = new Promise((resolve) => {
      theirs.start({ message: () => {}, malformed: resolve, ended: () => {}, failed: () => {} });
    });
    port.postMessage(deep);
    expect(await malformed).toMatchObject({ kind: "too_large" });
    await theirs.close();
  });

  it("skips and reports any posted value that JSON can't represent, and answers its request", async () => {
    const [, theirs, port] = ports();
    const answers: unknown[] = [];
    const reports: unknown[] = [];
    const connection = new Connection(theirs, {
      onDiagnostic: ({ code, data }) => reports.push([code, (data as { kind: string }).kind]),
    });
    connection.onRequest("x", () => "answered");
    connection.listen();
    const values = [
      ...[new Uint8Array(200_000_000), new Float64Array(3), new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), 1n],
      ...[new Map([["a", 1]]), new Set([1]), new Date(0), /a/, new Error("e"), Object("text"), Object(true)],
    ];
    const all = new Promise<void>((resolve) => {
      port.addEventListener("message", ({ data }) => {
        if (typeof data?.id === "number" || data?.id === "last") answers.push(data);
        if (answers.length > values.length) resolve();
      });
    });
    port.start?.();
    for (const [id, value] of values.entries()) {
      const buffers = value instanceof Uint8Array ? [value.buffer] : [];
      (port.postMessage as (message: unknown, transfer: unknown) => void)(
        { jsonrpc: "2.0", id, method: "x", params: { a: [value] } },
        buffers,
      );
      port.postMessage(value instanceof Uint8Array ? new Uint8Array(8) : value);
    }
    port.postMessage({ jsonrpc: "2.0", id: "last", method: "x", params: { a: undefined, b: Number.NaN } });
    await all;
    expect(answers).toEqual([
      ...values.map((_, id) => expect.objectContaining({ id, error: expect.objectContaining({ code: -32600 }) })),
      { jsonrpc: "2.0", id: "last", result: "answered" },
    ]);
    expect(reports).toEqual(values.flatMap(() => [0, 1].map(() => ["malformed_input", "unserializable"])));
    await connection.close();
  });

  it("ignores an acknowledgement that is not a number of messages", async () => {
    const [ours, theirs, port] = ports();
    theirs.start({ message: () => {}, malformed: () => {}, ended: () => {}, failed: () => {} });
    for (const value of [Number.NaN, -1, 0]) port.postMessage(value);
    await new Promise((resolve) => setImmediate(resolve));
    theirs.send({ jsonrpc: "2.0", method: "x" });
    expect(theirs.full).toBeUndefined();
    await Promise.all([ours.close(), theirs.close()]);
  });

  it("rejects values that JSON can't represent", async () => {
    const [ours, theirs] = ports();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => ours.send({ jsonrpc: "2.0", method: "x", params: cycle })).toThrow(TypeError);
    await Promise.all([ours.close(), theirs.close()]);
  });
});

describe("a bridge", () => {
  it("connects two transports, and ends both when one ends", async () => {
    const [client, left] = ports();
    const [right, server] = ports();
    const bridge = bridgeTransports(left, right);
    const theirs = new Connection(server);
    theirs.onRequest("add", (params) => (params as number[]).reduce((sum, term) => sum + term, 0));
    theirs.listen();
    const ours = new Connection(client);
    ours.listen();
    expect(await ours.request("add", [1, 2])).toBe(3);
    await ours.close();
    expect((await theirs.closed).code).toBe("peer_closed");
    expect(await bridge.closed).toBeUndefined();
  });

  it("skips and reports a message that JSON can't represent", async () => {
    const [, left, port] = ports();
    const [right, server] = linkedTransports();
    const received = new Promise((resolve) => {
      server.start({ message: resolve, malformed: () => {}, ended: () => {}, failed: () => {} });
    });
    const malformed: unknown[] = [];
    const bridge = bridgeTransports(left, right, { onMalformed: (input) => malformed.push(input) });
    port.postMessage({ jsonrpc: "2.0", method: "skipped", params: { value: 1n } });
    port.postMessage({ jsonrpc: "2.0", method: "next" });
    expect(await received).toMatchObject({ method: "next" });
    expect(malformed).toMatchObject([{ kind: "unserializable" }]);
    await bridge.close();
  });
});
