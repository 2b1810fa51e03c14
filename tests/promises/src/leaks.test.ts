import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { program } from "./harness/program.js";
import { connectRaw } from "./harness/raw-agent.js";

afterEach(() => {
  vi.useRealTimers();
});

describe.each(transports)("over %s", (kind) => {
  it("leak.timers: no timer of an ended operation remains, during a hundred turns and after close()", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const pair = await connect(kind, { permissions: async () => "allow_once" });
    const session = await pair.client.newSession({ cwd: "/work" });
    const between = kind === "streamable HTTP" ? 0 : vi.getTimerCount();
    // Over HTTP a response may overtake the acknowledgement of its POST, which has a deadline, too.
    const timersAreGone = async (): Promise<void> => {
      while (kind === "streamable HTTP" && vi.getTimerCount() > 0)
        await new Promise((resolve) => setImmediate(resolve));
    };
    for (let n = 0; n < 100; n += 1) {
      const turn = session.prompt(n % 2 === 0 ? "ask 2" : "abort", {
        idleTimeoutMs: 60_000,
        cancelTimeoutMs: 60_000,
      });
      for await (const update of turn) if (update.sessionUpdate === "agent_message_chunk") turn.cancel();
      await turn.result;
      await timersAreGone();
      expect(vi.getTimerCount()).toBe(between);
    }
    const pending = session.prompt("hold", { idleTimeoutMs: 60_000 });
    for await (const _ of pending) break;
    await pair[Symbol.asyncDispose]();
    await timersAreGone(); // a session of HTTP/2 reports its end a moment after its server
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leak.listeners: no listener of the libraries remains on the caller's signals", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = (): number => getEventListeners(signal, "abort").length;
    const agent = await connectRaw(kind, { signal });
    const whileOpen = listeners();
    agent.peer.answer("session/prompt", { stopReason: "end_turn" });
    const session = await agent.client.newSession({ cwd: "/work" }, { signal });
    for (let n = 0; n < 20; n += 1) await session.prompt("go", { signal }).result;
    agent.peer.answer("session/prompt", () => undefined);
    const left = [session.prompt("go", { signal }), session.prompt("then", { signal })];
    await agent.peer.next("session/prompt");
    expect(listeners()).toBeLessThanOrEqual(whileOpen + 2);
    await agent[Symbol.asyncDispose]();
    await Promise.allSettled(left.map(({ result }) => result));
    expect(listeners()).toBe(0);
  });
});

it("leak.handles: after closing its connection, a client process exits by itself, and so does its agent", async () => {
  const client = await program(new URL("./harness/client-process.ts", import.meta.url));
  const agent = await program(new URL("./harness/agent-process.ts", import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [client, agent]);
  expect({ stdout, stderr }).toEqual({ stdout: "cancelled", stderr: "" });
});
