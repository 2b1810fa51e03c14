import type { Diagnostic } from "@acp-kit/client";
import type { TapEvent } from "@acp-kit/protocol";
import { describe, expect, it } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import { isUpdate, stopReason, type WireMessage } from "./harness/wire.js";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const COUNT = 2_000;
const BYTES = 1_000;
const limits = { maxBacklogBytes: 100_000 };

/** Over streamable HTTP, other updates from right after the response to `session/new` may arrive in the first turn. */
const isChunk = ({ sessionUpdate }: { readonly sessionUpdate: string }): boolean =>
  sessionUpdate === "agent_message_chunk";

/** Counts items that arrive and items that are read, and records the largest number between. */
class Gauge {
  arrived = 0;
  taken = 0;
  most = 0;

  readonly tap = ({ direction, message }: TapEvent): void => {
    if (direction === "received" && isUpdate("agent_message_chunk")(message as WireMessage)) this.arrived += 1;
  };

  /** Reads one item slowly. Meanwhile, a sender without back-pressure would send everything. */
  async take(update: object): Promise<void> {
    const { text } = (update as { content: { text: string } }).content;
    expect(Number.parseInt(text, 10)).toBe(this.taken);
    this.taken += 1;
    this.most = Math.max(this.most, (this.arrived - this.taken) * BYTES);
    if (this.taken % 50 === 0) for (let n = 0; n < 20; n += 1) await tick();
  }
}

describe.each(transports)("over %s", (kind) => {
  it("bound.slow-consumer: a slow reader of a turn pauses reading, and no update is lost", async () => {
    const gauge = new Gauge();
    await using pair = await connect(kind, { limits, tap: gauge.tap });
    const session = await pair.client.newSession({ cwd: "/work" });
    const turn = session.prompt(`flood ${COUNT} ${BYTES}`);
    for await (const update of turn) if (isChunk(update)) await gauge.take(update);
    await turn.result;
    expect(gauge.taken).toBe(COUNT);
    expect(gauge.most).toBeLessThan(4 * limits.maxBacklogBytes); // updates of 2 MB
  });

  it("bound.slow-consumer: a slow listener pauses reading, and no update is lost", async () => {
    const gauge = new Gauge();
    await using pair = await connect(kind, { limits, tap: gauge.tap });
    const session = await pair.client.newSession({ cwd: "/work" });
    session.onUpdate((update) => (update.sessionUpdate === "agent_message_chunk" ? gauge.take(update) : undefined));
    await session.prompt(`flood ${COUNT} ${BYTES}`).result;
    expect(gauge.taken).toBe(COUNT);
    expect(gauge.most).toBeLessThan(4 * limits.maxBacklogBytes);
  });

  it("bound.sender-waits: an agent that awaits its updates does not overrun a client that doesn't read", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const go = client.pause();
    const answer = peer.request("session/prompt", promptOf(`flood ${20 * COUNT} ${BYTES}`));
    for (let n = 0; n < 200; n += 1) await tick();
    expect(peer.received.items.filter(isUpdate("agent_message_chunk")).length).toBeLessThan(COUNT);
    peer.notify("session/cancel", { sessionId: "session-1" }); // Reads while the agent can't write.
    go();
    expect(stopReason(await answer)).toBe("cancelled");
    // The agent saw back-pressure long before the end of its updates.
    expect(peer.received.items.filter(isUpdate("agent_message_chunk")).length).toBeLessThan(COUNT * 10);
  });

  it("bound.no-dead-lock: a slow reader of a turn may await any response over the same connection", async () => {
    await using pair = await connect(kind, { limits: { maxBacklogBytes: 100_000 } });
    const session = await pair.client.newSession({ cwd: "/work" });
    const other = await pair.client.newSession({ cwd: "/work" });
    const requests: (() => Promise<unknown>)[] = [
      () => pair.client.peer.request("session/set_mode", { sessionId: session.sessionId, modeId: "code" }),
      () => session.options.set("model", "fast"),
      () => pair.client.logout(),
      () => other.options.set("model", "fast"),
      () => other.prompt("say meanwhile").result,
      () => pair.client.listSessions().next(),
      () => pair.client.newSession({ cwd: "/work" }),
    ];
    let read = 0;
    const turn = session.prompt("flood 300 1000");
    for await (const update of turn) {
      if (!isChunk(update)) continue;
      if (read % 10 === 0) await requests[(read / 10) % requests.length]?.();
      read += 1;
    }
    expect(read).toBe(300);
    await expect(turn.result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("bound.no-dead-lock: a listener may await any response, except for the end of its own turn", async () => {
    await using pair = await connect(kind, { limits: { maxBacklogBytes: 100_000 } });
    const session = await pair.client.newSession({ cwd: "/work" });
    const other = await pair.client.newSession({ cwd: "/work" });
    let received = 0;
    session.onUpdate(async (update) => {
      if (update.sessionUpdate !== "agent_message_chunk") return;
      received += 1;
      if (received % 20 === 1) await session.options.set("model", "fast");
      if (received % 20 === 2) await pair.client.logout();
      if (received % 20 === 3) await other.prompt("say meanwhile").result;
    });
    await expect(session.prompt("flood 200 1000").result).resolves.toEqual({ stopReason: "end_turn" });
    expect(received).toBe(200);
  });

  it("bound.no-dead-lock: if a response is behind more updates than the hard limit allows, the connection ends and says why", async () => {
    await using agent = await connectRaw(kind, { limits: { maxBacklogBytes: 10_000, drainTimeoutMs: 10_000 } });
    const session = await agent.client.newSession({ cwd: "/work" });
    let error: unknown;
    session.onUpdate(async () => {
      if (error === undefined)
        error = await agent.client.peer
          .request("session/set_mode", { sessionId: session.sessionId, modeId: "code" })
          .catch((reason: unknown) => reason);
    });
    agent.peer.answer("session/prompt", () => {
      agent.peer.say("s1", "first");
      void agent.peer.next("session/set_mode").then((setMode) => {
        for (let n = 0; n < 200; n += 1) agent.peer.say("s1", "x".repeat(1_000));
        agent.peer.respond(setMode, {}); // The response is behind more updates than the limit allows.
      });
      return undefined;
    });
    await expect(session.prompt("go").result).rejects.toMatchObject({ code: "backlog_full", method: "session/prompt" });
    expect(error).toMatchObject({ name: "ConnectionError", code: "backlog_full", method: "session/set_mode" });
    expect(await agent.client.closed).toMatchObject({ code: "backlog_full" });
  });

  it("bound.kept-updates: updates buffered for a session, a listener or a reader are bounded, and dropped ones are reported", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await connectRaw(kind, {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    agent.peer.answer("session/new", () => {
      for (let n = 0; n < 10_003; n += 1) agent.peer.say("s1", `early ${n}`);
      return { sessionId: "s1" };
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    for (let n = 0; n < 5; n += 1) agent.peer.say("s1", `late ${n}`);
    await agent.peer.fence();
    const received: unknown[] = [];
    session.onUpdate((update) => void received.push((update as { content: { text: string } }).content.text));
    agent.peer.answer("session/prompt", { stopReason: "end_turn" });
    await session.prompt("go").result;
    expect(received).toEqual(Array.from({ length: 10_000 }, (_, n) => `early ${n}`));
    expect(diagnostics).toHaveLength(3 + 5);
  });

  it("bound.kept-updates: a few large updates reach the bound like many small ones", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await connectRaw(kind, {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    const large = "x".repeat(9_000_000);
    agent.peer.answer("session/new", () => {
      for (const text of ["early", large, large]) agent.peer.say("s1", text);
      return { sessionId: "s1" };
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    agent.peer.answer("session/prompt", () => {
      for (const text of [large, large]) agent.peer.say("s1", text);
      return { stopReason: "end_turn" };
    });
    await agent.peer.fence(); // The early updates belong to no turn.
    const turn = session.prompt("go");
    await turn.result;
    await expect(turn[Symbol.asyncIterator]().next()).rejects.toThrow("more than 16777216 bytes");
    const received: unknown[] = [];
    session.onUpdate((update) => void received.push((update as { content: { text: string } }).content.text));
    await agent.peer.fence();
    expect(received).toEqual(["early", large]);
    expect(diagnostics).toHaveLength(1);
  });

  it("bound.open-requests: concurrent requests beyond the bound are refused, the others are handled", async () => {
    await using client = await rawClientWithSession(kind, { limits: { maxOpenRequests: 2 } });
    const { peer } = client;
    const answers = ["hold first", "say second", "say third"].map((text) =>
      peer.request("session/prompt", promptOf(text)),
    );
    expect((await answers[2])?.error).toMatchObject({ code: -32603 });
    peer.notify("_test/release", { name: "first" });
    for (const answer of answers.slice(0, 2)) expect(stopReason(await answer)).toBe("end_turn");
  });
});

describe("over a child process", () => {
  it("bound.message-size: an oversized line is skipped and reported, the turn continues", async () => {
    const diagnostics: Diagnostic[] = [];
    const options = { onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
    await using agent = await connectRaw("a child process", options, { maxMessageBytes: 10_000 });
    const session = await agent.client.newSession({ cwd: "/work" });
    agent.peer.answer("session/prompt", (request) => {
      agent.peer.say("s1", "before");
      agent.peer.say("s1", "x".repeat(1_000_000));
      agent.peer.say("s1", "after");
      agent.peer.respond(request, { stopReason: "end_turn" });
      return undefined;
    });
    const texts: string[] = [];
    for await (const update of session.prompt("go")) texts.push((update as { content: { text: string } }).content.text);
    expect(texts).toEqual(["before", "after"]);
    expect(diagnostics).toMatchObject([{ code: "malformed_input", data: { kind: "too_large" } }]);
  });

  it("bound.message-size: an oversized response rejects its request", async () => {
    await using agent = await connectRaw("a child process", {}, { maxMessageBytes: 10_000 });
    const session = await agent.client.newSession({ cwd: "/work" });
    agent.peer.answer("session/prompt", { stopReason: "end_turn", _meta: { filler: "x".repeat(100_000) } });
    await expect(session.prompt("go").result).rejects.toMatchObject({
      name: "ConnectionError",
      code: "invalid_response",
      method: "session/prompt",
    });
    agent.peer.answer("session/prompt", { stopReason: "end_turn" });
    await expect(session.prompt("go").result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("bound.message-size: TRANS-15 an agent responds to an oversized request with an error and continues", async () => {
    await using client = await rawClientWithSession("a child process", {}, { maxMessageBytes: 10_000 });
    const { peer } = client;
    peer.send({ id: "big", method: "session/prompt", params: promptOf(`say ${"x".repeat(100_000)}`) });
    const { error } = await peer.received.until(({ id }) => id === "big");
    expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("10000 bytes") });
    expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
  });
});
