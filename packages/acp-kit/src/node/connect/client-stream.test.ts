import { linkedTransports } from "@acp-kit/protocol";
import { describe, expect, it, vi } from "vitest";
import { ClientStream } from "./client-stream.js";

const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: {} } as const;
const prompt = { jsonrpc: "2.0", id: "p", method: "session/prompt", params: {} } as const;

/** A client, and what the other side of its stream sees. */
function client() {
  const [outside, inside] = linkedTransports();
  const stream = new ClientStream(inside);
  const received: unknown[] = [];
  const relayed: unknown[] = [];
  const ended = vi.fn();
  const failed = vi.fn();
  const nothing = (): void => {};
  outside.start({ message: (value) => received.push(value), malformed: nothing, ended: nothing, failed: nothing });
  stream.start({ message: (value) => relayed.push(value), malformed: nothing, ended, failed });
  return { outside, stream, received, relayed, ended, failed };
}

/** Until the messages that are on their way have arrived. */
const delivered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the client of a relayed agent", () => {
  it("exchanges messages with the agent, unchanged", async () => {
    const { outside, stream, received, relayed } = client();
    outside.send(initialize);
    outside.send({ jsonrpc: "2.0", method: "_a/b", params: { odd: "\u2028" } });
    stream.send({ jsonrpc: "2.0", id: 0, result: 1 });
    await delivered();
    expect(relayed).toEqual([initialize, { jsonrpc: "2.0", method: "_a/b", params: { odd: "\u2028" } }]);
    expect(received).toEqual([{ jsonrpc: "2.0", id: 0, result: 1 }]);
  });

  it("gets an error for a request before initialize, which is not relayed", async () => {
    const { outside, received, relayed } = client();
    outside.send({ ...prompt, id: 7 });
    outside.send({ jsonrpc: "2.0", method: "session/cancel" });
    await delivered();
    expect(relayed).toEqual([]);
    expect(received).toEqual([
      { jsonrpc: "2.0", id: 7, error: { code: -32_600, message: expect.stringContaining("initialize") } },
    ]);
  });

  it.each([
    ["a batch", [initialize]],
    ["a number", 42],
    ["an object without a method", {}],
    ["a method that is not text", { jsonrpc: "2.0", id: 1, method: 1 }],
    ["an id alone", { jsonrpc: "2.0", id: 1 }],
    ["an id that is an object", { jsonrpc: "2.0", id: { toString: 1, valueOf: 1 }, method: "a" }],
  ])("gets an error for %s, which is not relayed", async (_name, value) => {
    const { outside, received, relayed } = client();
    outside.send(value as never);
    await delivered();
    expect(relayed).toEqual([]);
    expect(received).toEqual([
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_600 }) }),
    ]);
  });

  it("ends at the end of its input if no request is pending", async () => {
    const { outside, stream, ended } = client();
    expect(stream.end).toBe("none");
    await outside.close();
    await delivered();
    expect(stream.end).toBe("ended");
    expect(ended).toHaveBeenCalledOnce();
  });

  it("gets the responses to its last requests before the end of input is relayed", async () => {
    const { outside, stream, ended } = client();
    outside.send(initialize);
    outside.send(prompt);
    await delivered();
    await outside.close();
    await delivered();
    expect(ended).not.toHaveBeenCalled();
    stream.send({ jsonrpc: "2.0", id: 0, result: {} });
    expect(ended).not.toHaveBeenCalled();
    stream.send({ jsonrpc: "2.0", id: "p", result: {} });
    expect(ended).toHaveBeenCalledOnce();
    await stream.close();
  });

  it("ends five seconds after the end of input, also with a pending request", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { outside, ended } = client();
      outside.send(initialize);
      await delivered();
      await outside.close();
      await delivered();
      vi.advanceTimersByTime(4_999);
      expect(ended).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(ended).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});
