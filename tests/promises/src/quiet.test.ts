import type { ConnectAgentOptions } from "@acp-kit/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { connectRaw } from "./harness/raw-agent.js";
import { isUpdate } from "./harness/wire.js";

const methods = ["debug", "dir", "error", "info", "log", "table", "trace", "warn"] as const;
const failing = (): never => {
  throw new Error("a hook that fails");
};

const rejections: unknown[] = [];
const note = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method);
  vi.spyOn(process.stdout, "write");
  vi.spyOn(process.stderr, "write");
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
  vi.restoreAllMocks();
});

/** Causes every kind of fault in one conversation. */
async function playBadly(kind: (typeof transports)[number], options: ConnectAgentOptions): Promise<void> {
  const agent = await connectRaw(kind, options);
  const { client, peer } = agent;
  peer.answer("session/new", () => {
    peer.say("s1", "early");
    peer.say("nobody", "lost");
    return { sessionId: "s1" };
  });
  const session = await client.newSession({ cwd: "/work" });
  session.onUpdate(failing);
  session.onUpdate(async () => failing());
  peer.answer("session/prompt", (request) => {
    peer.update("s1", { sessionUpdate: 5 });
    peer.update("s1", { sessionUpdate: "plan", entries: [5] });
    peer.say("s1", "said");
    peer.notify("unheard/of");
    peer.send({ id: "ghost", result: 1 });
    void peer.request("fs/read_text_file", { sessionId: "s1", path: "/a" });
    void peer.request("session/request_permission", { sessionId: "s1", toolCall: { toolCallId: "t" }, options: [] });
    peer.refuse(request, -32603);
    return undefined;
  });
  void session.prompt("the result is not read");
  await expect(session.prompt("the result is read").result).rejects.toMatchObject({ code: -32603 });
  await peer.fence();
  peer.answer("session/prompt", () => undefined);
  void session.prompt("left behind");
  void session.prompt("waiting behind it");
  await peer.next("session/prompt");
  agent.die(kind === "a child process" ? "is killed" : "breaks");
  await client.closed;
  void session.prompt("too late");
  session.cancel();
  await agent[Symbol.asyncDispose]();
}

describe.each(transports)("over %s", (kind) => {
  it("quiet.no-output: after any fault, nothing is written to the console or the standard streams; onDiagnostic receives it", async () => {
    const codes: string[] = [];
    await playBadly(kind, {
      files: { readTextFile: failing },
      permissions: async () => failing(),
      onDiagnostic: ({ code }) => codes.push(code),
    });
    for (const method of methods) expect(console[method]).not.toHaveBeenCalled();
    expect(process.stdout.write).not.toHaveBeenCalled();
    expect(process.stderr.write).not.toHaveBeenCalled();
    expect(new Set(codes)).toEqual(
      new Set([
        ...(kind === "streamable HTTP" ? [] : ["unknown_session"]), // The client never opens this stream (RT-11).
        ...["invalid_params", "salvaged", "handler_failed"],
        ...["unknown_notification", "unknown_response"],
      ]),
    );
  });

  it("quiet.no-unhandled-rejection: no promise of the libraries is left without a rejection handler", async () => {
    await playBadly(kind, {});
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
  });

  it("quiet.hooks-may-fail: a tap, a listener or an onDiagnostic hook that throws does not affect the connection", async () => {
    const pair = await connect(kind, {
      tap: failing,
      onDiagnostic: failing,
      onUpdate: failing,
      files: { readTextFile: failing },
    });
    const session = await pair.client.newSession({ cwd: "/work" });
    await expect(session.prompt("stream 3").result).resolves.toEqual({ stopReason: "end_turn" });
    await expect(session.prompt("read /a").result).rejects.toMatchObject({ code: -32603 });
    const turn = session.prompt("stream 3");
    let read = 0;
    for await (const update of turn) read += update.sessionUpdate === "agent_message_chunk" ? 1 : 0;
    expect(read).toBe(3);
    await pair[Symbol.asyncDispose]();
    expect(pair.wire.items.filter(isUpdate())).toEqual([]); // The failing tap replaced its tap.
  });
});
