import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WireLog } from "../wire/wire-log.js";
import { PageConnection } from "./page-connection.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page whose socket has this many unsent bytes. */
function open(run: () => void = () => {}) {
  const sent: string[] = [];
  const listeners: Record<string, (data: unknown) => void> = {};
  const socket = {
    bufferedAmount: 0,
    on: (event: string, listener: (data: unknown) => void): void => {
      listeners[event] = listener;
    },
    send: (text: string) => sent.push(text),
    close: vi.fn<(code: number, reason: string) => void>(),
  };
  const host = { log: new WireLog(), marks: { list: [] }, state: () => ({}), run };
  const page = new PageConnection(socket as never, host as never);
  const marks = (): number => sent.filter((text) => text.startsWith('{"is":"marks"')).length;
  return { page, socket, marks, listeners };
}

it("sends marks once to a page that reads slowly, when it has read", () => {
  const { page, socket, marks } = open();
  vi.advanceTimersByTime(100);
  expect(marks()).toBe(1);
  socket.bufferedAmount = 2_000_000;
  for (let change = 0; change < 100; change += 1) {
    page.sendMarks();
    vi.advanceTimersByTime(100);
  }
  expect(marks()).toBe(1);
  socket.bufferedAmount = 0;
  vi.advanceTimersByTime(100);
  expect(marks()).toBe(2);
});

it("closes the connection of a page whose message can't be sent", () => {
  const { socket, listeners } = open(() => {
    throw new TypeError("nested too deep");
  });
  listeners.message?.('{"do":"send","message":[]}');
  expect(socket.close).toHaveBeenCalledWith(1007, "the message can't be serialized");
});
