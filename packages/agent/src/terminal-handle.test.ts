import { expect, onTestFinished, test, vi } from "vitest";
import type { AgentPeer } from "./agent-peer.js";
import { TerminalHandle } from "./terminal-handle.js";

test("waiting ends if its signal aborts while the request is being sent", async () => {
  const controller = new AbortController();
  const request = (): Promise<never> => {
    controller.abort(new Error("Enough"));
    return new Promise(() => {});
  };
  const terminal = new TerminalHandle({ request } as unknown as AgentPeer, "s1", "t1", undefined);
  await expect(terminal.waitForExit({ signal: controller.signal })).rejects.toThrow("Enough");
});

test("waiting has no limit if timeoutMs is Infinity", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const exit = { exitCode: 0, signal: null };
  let exited = (_: typeof exit): void => {};
  const request = (): Promise<typeof exit> =>
    new Promise((resolve) => {
      exited = resolve;
    });
  const terminal = new TerminalHandle({ request } as unknown as AgentPeer, "s1", "t1", undefined);
  const waiting = terminal.waitForExit({ timeoutMs: Number.POSITIVE_INFINITY });
  await vi.advanceTimersByTimeAsync(60_000);
  exited(exit);
  expect(await waiting).toEqual(exit);
});
