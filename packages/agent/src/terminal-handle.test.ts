import { expect, test } from "vitest";
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
