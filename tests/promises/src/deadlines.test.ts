import { connectAgent, type Diagnostic } from "@acp-kit/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { transports } from "./harness/connect.js";
import { connectRaw, rawAgent } from "./harness/raw-agent.js";

// The tests control the clock: no test waits for real time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  // A session of HTTP/2 reports its end, which stops its idle timer, a moment after its server has closed.
  for (let turn = 0; turn < 1_000 && vi.getTimerCount() > 0; turn += 1) await new Promise(setImmediate);
  expect(vi.getTimerCount()).toBe(0); // No deadline remains after the operation that it is for.
  vi.useRealTimers();
});

describe.each(transports)("over %s", (kind) => {
  it("deadline.initialize: connecting rejects if the agent never responds to initialize", async () => {
    await using agent = await rawAgent(kind);
    agent.peer.answer("initialize", () => undefined);
    const connecting = connectAgent(agent.transport, { limits: { initializeTimeoutMs: 1_000 } });
    const { id } = await agent.peer.next("initialize");
    vi.advanceTimersByTime(1_000);
    await expect(connecting).rejects.toMatchObject({
      name: "ConnectionError",
      code: "timeout",
      method: "initialize",
    });
    // The id of the connection comes with the response. Without it, the client can't send a cancel (A3), so it aborts
    // the POST instead.
    if (kind === "streamable HTTP") await agent.abandoned;
    else expect((await agent.peer.next("$/cancel_request")).params).toEqual({ requestId: id });
  });

  it("deadline.request: an ordinary request without a response rejects, and the connection stays open", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await connectRaw(kind, {
      limits: { requestTimeoutMs: 1_000 },
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    const logout = agent.client.logout();
    const request = await agent.peer.next("logout");
    vi.advanceTimersByTime(1_000);
    await expect(logout).rejects.toMatchObject({ name: "ConnectionError", code: "timeout", method: "logout" });
    expect((await agent.peer.next("$/cancel_request")).params).toEqual({ requestId: request.id });
    agent.peer.respond(request, {});
    await agent.peer.fence();
    expect(diagnostics).toMatchObject([{ code: "late_response", id: request.id }]);
    agent.peer.answer("logout", {});
    await agent.client.logout();
  });

  it("deadline.request: a request whose response depends on a user, a model or a command has no deadline", async () => {
    await using agent = await connectRaw(kind, { limits: { requestTimeoutMs: 1_000 } });
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("think hard");
    const login = agent.client.authenticate("token");
    const prompt = await agent.peer.next("session/prompt");
    const authenticate = await agent.peer.next("authenticate");
    vi.advanceTimersByTime(86_400_000);
    agent.peer.respond(prompt, { stopReason: "end_turn" });
    agent.peer.respond(authenticate, {});
    await expect(turn.result).resolves.toEqual({ stopReason: "end_turn" });
    await login;
  });

  it("deadline.turn-idle: with the option, a turn without updates is cancelled and rejects", async () => {
    await using agent = await connectRaw(kind);
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go", { idleTimeoutMs: 1_000 });
    const updates = turn[Symbol.asyncIterator]();
    const prompt = await agent.peer.next("session/prompt");
    for (let n = 0; n < 3; n += 1) {
      vi.advanceTimersByTime(999);
      agent.peer.say("s1", String(n)); // Every update restarts the deadline.
      await updates.next();
    }
    vi.advanceTimersByTime(1_000);
    await expect(turn.result).rejects.toMatchObject({
      name: "ConnectionError",
      code: "timeout",
      method: "session/prompt",
    });
    await expect(updates.next()).rejects.toMatchObject({ code: "timeout" });
    expect(await updates.next()).toMatchObject({ done: true });
    await agent.peer.next("session/cancel");
    agent.peer.respond(prompt, { stopReason: "cancelled" });
    agent.peer.answer("session/prompt", { stopReason: "end_turn" });
    await expect(session.prompt("again").result).resolves.toEqual({ stopReason: "end_turn" });
    await agent.peer.fence();
  });

  it("deadline.turn-idle: the deadline is paused while the agent waits for a response of the client", async () => {
    let answer = (_kind: "allow_once"): void => {};
    await using agent = await connectRaw(kind, {
      permissions: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go", { idleTimeoutMs: 1_000 });
    const prompt = await agent.peer.next("session/prompt");
    const asked = agent.peer.request("session/request_permission", {
      sessionId: "s1",
      toolCall: { toolCallId: "t1" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    });
    await agent.peer.fence();
    vi.advanceTimersByTime(60_000);
    answer("allow_once");
    expect((await asked).result).toEqual({ outcome: { outcome: "selected", optionId: "y" } });
    agent.peer.respond(prompt, { stopReason: "end_turn" });
    await expect(turn.result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("deadline.turn-cancelled: a cancelled turn without a response rejects, and its late response has no effect", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await connectRaw(kind, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go", { cancelTimeoutMs: 1_000 });
    const prompt = await agent.peer.next("session/prompt");
    turn.cancel();
    await agent.peer.next("session/cancel");
    vi.advanceTimersByTime(1_000);
    await expect(turn.result).rejects.toMatchObject({
      name: "ConnectionError",
      code: "timeout",
      method: "session/prompt",
    });
    agent.peer.respond(prompt, { stopReason: "cancelled" });
    await agent.peer.fence();
    agent.peer.answer("session/prompt", { stopReason: "end_turn" });
    await expect(session.prompt("again").result).resolves.toEqual({ stopReason: "end_turn" });
  });
});
