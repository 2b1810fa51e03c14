import { describe, expect, it, vi } from "vitest";
import { serverLimitsOf } from "../server/handler-options.js";
import type { TextSocket } from "./text-socket.js";
import { WebSocketTransport } from "./web-socket-transport.js";

const message = (text: string) => ({ jsonrpc: "2.0", method: "x", params: { text } }) as const;
const kilobyte = message("x".repeat(1_000));

/** A transport with small limits whose socket is not open, and a list of its ends. */
function opening() {
  const limits = { ...serverLimitsOf({}), maxUnsentBytes: 4_000, maxQueuedBytes: 20_000, closeTimeoutMs: 100 };
  const transport = new WebSocketTransport({ limits, errorOf: (what) => what });
  const ends: unknown[] = [];
  transport.start({
    message: () => {},
    malformed: () => {},
    ended: () => ends.push("ended"),
    failed: (error) => ends.push(error),
  });
  return { transport, ends };
}

/** A socket that sends immediately. */
function openSocket(sent: string[]): TextSocket {
  return {
    listen: () => {},
    send: (text) => void sent.push(text),
    sendKeepAlive: () => {},
    bufferedAmount: 0,
    close: () => {},
    terminate: () => {},
  };
}

describe("a WebSocket that is not open yet", () => {
  it("applies back-pressure to the sender above maxUnsentBytes, until the socket is open and has sent", async () => {
    const { transport } = opening();
    expect(transport.full).toBeUndefined();
    for (let count = 0; count < 5; count += 1) transport.send(kilobyte);
    const { full } = transport;
    expect(full).toBeInstanceOf(Promise);
    const sent: string[] = [];
    transport.attach(openSocket(sent));
    await full;
    expect(sent).toHaveLength(5);
    expect(transport.full).toBeUndefined();
  });

  it("has room as soon as the socket reports that it has sent everything", async () => {
    const { transport } = opening();
    const listeners = new Set<() => void>();
    let bufferedAmount = 0;
    const onDrain = (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    const socket = { ...openSocket([]), onDrain };
    transport.attach(Object.defineProperty(socket, "bufferedAmount", { get: () => bufferedAmount }));
    bufferedAmount = 5_000;
    const { full } = transport;
    expect([full, listeners.size]).toEqual([expect.any(Promise), 1]);
    bufferedAmount = 0;
    for (const listener of listeners) listener();
    expect(transport.full).toBeUndefined();
    await full;
    for (let times = 0; times < 3; times++) {
      bufferedAmount = 5_000;
      const { full } = transport;
      bufferedAmount = 1_000; // a socket that never sends everything
      await full;
    }
    expect(listeners.size).toBe(0);
  });

  it("sends the text that the sender already has", () => {
    const { transport } = opening();
    const sent: string[] = [];
    expect(transport.send(message("not serialized"), '{"known":1}')).toBe(11);
    transport.attach(openSocket(sent));
    transport.send(message("not serialized"), '{"known":2}');
    expect(sent).toEqual(['{"known":1}', '{"known":2}']);
  });

  it("fails above maxQueuedBytes, and the wait of the sender ends", async () => {
    const { transport, ends } = opening();
    for (let count = 0; count < 10; count += 1) transport.send(kilobyte);
    const { full } = transport;
    for (let count = 0; count < 15; count += 1) transport.send(kilobyte);
    await full;
    expect(ends).toEqual(["overflow"]);
  });
});

describe("a WebSocket that can't pause", () => {
  it("fails above maxQueuedBytes of unread messages, also if the messages are empty", () => {
    const { transport, ends } = opening();
    let receive = (): void => {};
    const listen: TextSocket["listen"] = ({ text }) => {
      receive = () => text("", 0);
    };
    transport.attach({ ...openSocket([]), listen });
    transport.pause();
    for (let count = 0; count < 300; count += 1) receive(); // 300 * 64 bytes
    expect(ends).toEqual([]);
    for (let count = 0; count < 20; count += 1) receive();
    expect(ends).toEqual(["overflow"]);
  });

  it.each([1_000, 1_006])(
    "delivers all unread messages before its end with %i, also if the receiver pauses after each message",
    (code) => {
      const transport = new WebSocketTransport({
        limits: { ...serverLimitsOf({}), closeTimeoutMs: 100 },
        errorOf: (what) => what,
      });
      const log: unknown[] = [];
      transport.start({
        message(value) {
          log.push(value);
          transport.pause();
        },
        malformed: () => {},
        ended: () => log.push("ended"),
        failed: (error) => log.push(error),
      });
      const listen: TextSocket["listen"] = ({ text, closed }) => {
        for (const value of ["0", "1", "2"]) text(value, 1);
        closed(code, "", undefined);
      };
      transport.attach({ ...openSocket([]), listen });
      transport.resume();
      expect(log).toEqual([0, 1, 2, code === 1_000 ? "ended" : "closed"]);
    },
  );
});

describe("the limits of a client, which hold over HTTP, too", () => {
  const limits = { ...serverLimitsOf({}), maxQueuedBytes: 20_000, closeTimeoutMs: 100 };

  /** An open transport. `receive` delivers a text of the peer. */
  function opened(more: { readonly maxReceivedBytes?: number; readonly initializeTimeoutMs?: number }) {
    const transport = new WebSocketTransport({
      limits: { ...limits, initializeTimeoutMs: Number.POSITIVE_INFINITY, ...more },
      errorOf: (what, detail) => `${what}: ${detail}`,
    });
    const events: unknown[] = [];
    transport.start({
      message: (value) => events.push(value),
      malformed: ({ kind, message: problem, excerpt }) => events.push([kind, problem, excerpt.length]),
      ended: () => events.push("ended"),
      failed: (error) => events.push(error),
    });
    let receive: (text: string) => void = () => {};
    const socket: TextSocket = {
      ...openSocket([]),
      listen: ({ text }) => {
        receive = (received) => text(received, received.length);
      },
    };
    transport.attach(socket);
    return { transport, events, receive: (text: string) => receive(text) };
  }

  it("maxMessageBytes: a larger message is skipped and reported, and the next one is delivered", () => {
    const { events, receive } = opened({ maxReceivedBytes: 1_000 });
    receive(JSON.stringify(kilobyte));
    receive(JSON.stringify(message("x")));
    expect(events).toEqual([
      ["too_large", "A message is larger than 1000 bytes (maxMessageBytes) and was skipped.", 200],
      message("x"),
    ]);
  });

  it("initializeTimeoutMs: the connection fails if nothing responds to the first message", () => {
    vi.useFakeTimers();
    try {
      const [silent, answered] = [opened({ initializeTimeoutMs: 500 }), opened({ initializeTimeoutMs: 500 })];
      for (const { transport } of [silent, answered]) transport.send(message("initialize"));
      answered.transport.pause();
      answered.receive(JSON.stringify(message("result")));
      vi.advanceTimersByTime(1_000);
      answered.transport.resume();
      expect(silent.events).toEqual([
        "silent: The agent did not respond to initialize within 500 ms (initializeTimeoutMs).",
      ]);
      expect(answered.events).toEqual([message("result")]);
    } finally {
      vi.useRealTimers();
    }
  });
});
