import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { FrameReader, frameBytes } from "./link-frames.js";
import { type ReplicaLinkServer, replicaLink } from "./replica-link.js";

const secret = "0123456789-abcdef";
const open: ReplicaLinkServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
});

async function link(received: string[], id: string, options: object = {}): Promise<ReplicaLinkServer> {
  const made = await replicaLink({ address: "127.0.0.1:0", secret, timeoutMs: 20_000, ...options });
  made.open(id, (message) => void received.push(message));
  open.push(made);
  return made;
}

describe("a replica link", () => {
  test("delivers messages of any length in order, in both directions", async () => {
    const [atA, atB]: [string[], string[]] = [[], []];
    const [a, b] = [await link(atA, "a"), await link(atB, "b")];
    const texts = Array.from({ length: 200 }, (_, i) => `${i} "\u2028\n😀" ${"x".repeat((i % 10) * 20_000)}`);
    const sent = await Promise.all(texts.map((text) => a.send("b", b.address, text)));
    expect(sent.every(Boolean)).toBe(true);
    expect(atB).toEqual(texts);
    expect(await b.send("a", a.address, "back")).toBe(true);
    expect(atA).toEqual(["back"]);
  });

  test("delivers no message to another replica at the same address", async () => {
    const atB: string[] = [];
    const [a, b] = [await link([], "a"), await link(atB, "b2")];
    expect(await a.send("b1", b.address, "x")).toBe(false);
    expect(atB).toEqual([]);
  });

  test("delivers no message to a replica with another secret", async () => {
    const atB: string[] = [];
    const [a, b] = [await link([], "a", { secret: "another-0123456789" }), await link(atB, "b")];
    expect(await a.send("b", b.address, "x")).toBe(false);
    expect(atB).toEqual([]);
  });

  test("a client without TLS, or with invalid bytes, receives no data and ends no other connection", async () => {
    const atB: string[] = [];
    const [a, b] = [await link([], "a"), await link(atB, "b")];
    const socket = connect(b.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(frameBytes({ number: 1, to: "b", message: "in the clear" }));
    await once(socket, "close");
    expect(await a.send("b", b.address, "x")).toBe(true);
    expect(atB).toEqual(["x"]);
  });

  test("`send` resolves with false if no replica listens, the message is too long, or the link is closed", async () => {
    const atB: string[] = [];
    const a = await link([], "a", { maxMessageBytes: 1_000 });
    const b = await link(atB, "b");
    expect(await a.send("b", b.address, "x".repeat(2_000))).toBe(false);
    expect(await a.send("b", b.address, "x")).toBe(true);
    await b.close();
    expect(await a.send("b", b.address, "x")).toBe(false);
    await a.close();
    expect(await a.send("b", b.address, "x")).toBe(false);
  });

  test("close() does not wait for a connection whose handshake has not ended", { timeout: 4_000 }, async () => {
    const b = await link([], "b");
    const socket = connect(b.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    const ended = once(socket, "close");
    await b.close();
    await ended;
  });

  test("`send` resolves with false if no receipt arrives in time", async () => {
    const { createServer } = await import("node:net");
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { readonly port: number };
    const a = await link([], "a", { timeoutMs: 50 });
    expect(await a.send("b", `127.0.0.1:${port}`, "x")).toBe(false);
    silent.close();
  });

  test("rejects an invalid address and a short secret", async () => {
    for (const address of ["", "host", "host:", ":1", "host:70000", "a@b:1"])
      await expect(replicaLink({ address, secret })).rejects.toBeInstanceOf(TypeError);
    await expect(replicaLink({ address: "127.0.0.1:0", secret: "short" })).rejects.toBeInstanceOf(TypeError);
  });
});

describe("frames", () => {
  test("are read from chunks of any size", () => {
    const frames = [
      { number: 1, to: "b", message: "ü".repeat(50) },
      { number: 2, arrived: true },
      { number: 3, to: "", message: "" },
    ];
    const bytes = Buffer.concat(frames.map(frameBytes));
    for (let size = 1; size < bytes.length; size += 3) {
      const reader = new FrameReader(1_000);
      const read = [];
      for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)));
      expect(read).toEqual(frames);
    }
  });

  test("that are too long or invalid are rejected", () => {
    expect(() => [...new FrameReader(10).read(frameBytes({ number: 1, to: "b", message: "too long" }))]).toThrow(
      "too long",
    );
    const other = Buffer.from("{}");
    const head = Buffer.from([0, 0, 0, other.length]);
    expect(() => [...new FrameReader(10).read(Buffer.concat([head, other]))]).toThrow("neither");
  });
});
