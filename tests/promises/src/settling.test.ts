import { connectAgent, type Diagnostic } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { connectRaw, rawAgent } from "./harness/raw-agent.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import { isNotification, isResponse, stopReason } from "./harness/wire.js";

describe.each(transports)("over %s", (kind) => {
  it("settle.exactly-once: RPC-04 RPC-17 the first response settles a request; a second response, or one without a request, changes nothing", async () => {
    const diagnostics: Diagnostic[] = [];
    // Without the dialect `error-without-id`, which assigns an error without an id to the only open request.
    const onDiagnostic = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
    await using agent = await connectRaw(kind, { onDiagnostic, dialects: false });
    agent.peer.answer("session/prompt", (request) => {
      agent.peer.together(() => {
        agent.peer.send({ id: String(request.id), result: { stopReason: "refusal" } }); // The same id in another type.
        agent.peer.send({ id: "ghost", result: {} });
        agent.peer.send({ id: null, error: { code: -32603, message: "whose?" } });
        agent.peer.send({ error: { code: -32603, message: "no id at all" } });
        agent.peer.respond(request, { stopReason: "end_turn" });
        agent.peer.respond(request, { stopReason: "max_tokens" });
        agent.peer.refuse(request, -32603);
      });
      return undefined;
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    await expect(session.prompt("go").result).resolves.toEqual({ stopReason: "end_turn" });
    const fences = await agent.peer.fence();
    const codes = diagnostics.map(({ code }) => code);
    // Two streams have no common order (RT-11). Responses without a request use that of the connection.
    expect(kind === "streamable HTTP" ? codes.sort().reverse() : codes).toEqual([
      ...["unknown_response", "unknown_response", "unknown_response", "unknown_response"],
      ...["late_response", "late_response"],
    ]);
    // A response gets no response.
    expect(new Set(agent.peer.received.items.filter(isResponse))).toEqual(new Set(fences));
  });

  it("settle.exactly-once: RPC-08 RPC-09 each side has its own request ids, and responses may arrive in any order", async () => {
    await using agent = await connectRaw(kind, {
      permissions: async () => "allow_once",
      files: { readTextFile: ({ path }) => ({ content: path }) },
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    const prompt = await agent.peer.next("session/prompt");
    const mode = agent.client.peer.request("session/set_mode", { sessionId: session.sessionId, modeId: "code" });
    const option = agent.client.peer.request("session/set_config_option", {
      sessionId: session.sessionId,
      configId: "model",
      value: "fast",
    });
    const setMode = await agent.peer.next("session/set_mode");
    const setOption = await agent.peer.next("session/set_config_option");
    const read = agent.peer.request("fs/read_text_file", { sessionId: "s1", path: "/a" }, prompt.id as number);
    await expect(read).resolves.toMatchObject({ result: { content: "/a" } });
    agent.peer.respond(setOption, { configOptions: [] });
    await option;
    agent.peer.respond(prompt, { stopReason: "end_turn" });
    await turn.result;
    agent.peer.respond(setMode, {});
    await mode;
  });

  it.each([7, "7", "", 0, -1, "9007199254740993"])(
    "settle.exactly-once: RPC-04 a request with id %j gets a response with that id",
    async (id) => {
      await using client = await rawClientWithSession(kind);
      const { peer } = client;
      expect(await peer.request("session/list", {}, id)).toMatchObject({ id, result: { sessions: expect.any(Array) } });
      await peer.fence();
      expect(peer.received.items.filter((message) => message.id === id && isResponse(message))).toHaveLength(1);
    },
  );

  it("settle.any-error: ERR-03 ERR-08 ERR-09 error objects of every kind reject only their own request", async () => {
    await using agent = await connectRaw(kind);
    const errors = [
      { code: 400, message: '{"error":{"status":"INVALID"}}' },
      { code: 1001, message: "", data: null },
      { code: -32603, message: "Internal error", data: { details: ["x"] } },
      { code: "EFAIL", message: "a code that is none" },
      { message: "no code" },
      "not an object",
    ];
    for (const error of errors) {
      const answer = agent.client.logout().catch((reason: unknown) => reason);
      const { id } = await agent.peer.next("logout");
      agent.peer.send({ id, error });
      const { code, message } = error as { code?: unknown; message?: string };
      expect(await answer).toMatchObject({
        name: "RpcError",
        code: Number.isInteger(code) ? code : -32603,
        message: expect.stringContaining(message ?? ""), // the reason of `data` follows
      });
    }
    agent.peer.answer("logout", {});
    await agent.client.logout();
  });

  it("settle.bad-answer: WIRE-04 PROMPT-22 a response that violates the schema rejects its request, and the session can be used again", async () => {
    await using agent = await connectRaw(kind);
    const session = await agent.client.newSession({ cwd: "/work" });
    for (const result of [{ stopReason: "weird" }, {}, { stopReason: 5 }, [], 7, "end_turn"]) {
      agent.peer.answer("session/prompt", (request) => {
        agent.peer.respond(request, result);
        return undefined;
      });
      await expect(session.prompt("go").result).rejects.toMatchObject({
        name: "DecodeError",
        issues: [expect.anything()],
      });
      expect(session.turn).toBeUndefined();
    }
    agent.peer.answer("session/prompt", { stopReason: "end_turn" });
    await expect(session.prompt("go").result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("settle.bad-answer: SESS-17 FS-09 null is accepted in place of an empty object", async () => {
    await using agent = await connectRaw(kind);
    for (const method of ["session/load", "logout", "session/set_mode", "session/close"]) {
      agent.peer.answer(method, (request) => {
        agent.peer.respond(request, null);
        return undefined;
      });
    }
    const session = await agent.client.loadSession({ sessionId: "old", cwd: "/work" });
    await agent.client.peer.request("session/set_mode", { sessionId: session.sessionId, modeId: "code" });
    await session.close();
    await agent.client.logout();
  });

  it("settle.unserializable: a result that can't be serialized causes an error response only to its request", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    await expect(session.prompt("unserializable").result).rejects.toMatchObject({ name: "RpcError", code: -32603 });
    await expect(session.prompt("say hello").result).resolves.toEqual({ stopReason: "end_turn" });
    expect(pair.saw.items).toContain("diagnostic unserializable");
  });

  it("settle.unserializable: params that can't be serialized reject immediately, and nothing is sent", async () => {
    await using pair = await connect(kind);
    const session = await pair.client.newSession({ cwd: "/work" });
    const sent = pair.wire.items.length;
    await expect(session.prompt("go", { meta: { size: 1n } }).result).rejects.toThrow(TypeError);
    await expect(pair.client.extensionRequest("_test/x", { size: 1n })).rejects.toThrow(TypeError);
    expect(pair.wire.items.slice(sent).filter(({ from }) => from === "client")).toEqual([]);
    await expect(session.prompt("say hello").result).resolves.toEqual({ stopReason: "end_turn" });
  });

  it("settle.close-writes-first: close() first writes the queued messages", async () => {
    const agent = await rawAgent(kind);
    const client = await connectAgent(agent.transport);
    const filler = "x".repeat(1_000);
    for (let n = 0; n < 2_000; n += 1) void client.extensionNotify("_test/note", { n, filler });
    const closing = client.close();
    const notes = await agent.peer.received.count(2_000, isNotification("_test/note"));
    expect(notes.map(({ params }) => params?.n)).toEqual(notes.map((_note, n) => n));
    await closing;
    await agent[Symbol.asyncDispose]();
  });

  it("settle.close-is-once: close() rejects all pending requests with the same cause; a second call has no effect", async () => {
    await using agent = await connectRaw(kind);
    const session = await agent.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await agent.peer.next("session/prompt");
    const list = agent.client.listSessions().next();
    const settled = Promise.allSettled([turn.result, list]);
    await Promise.all([agent.client.close(), agent.client.close()]);
    const reason = await agent.client.closed;
    expect(reason).toMatchObject({ name: "ConnectionError", code: "closed" });
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { name: "ConnectionError", code: "closed", cause: reason },
      });
    }
    await agent.client.close();
    await expect(agent.client.newSession({ cwd: "/work" })).rejects.toMatchObject({ code: "closed" });
  });

  it("settle.abandoned: aborting while connecting, or later, ends the connection with the signal's reason", async () => {
    await using agent = await rawAgent(kind);
    agent.peer.answer("initialize", () => undefined);
    const connecting = new AbortController();
    const connected = connectAgent(agent.transport, { signal: connecting.signal });
    await agent.peer.next("initialize");
    connecting.abort(new Error("changed my mind"));
    await expect(connected).rejects.toThrow("changed my mind");

    const living = new AbortController();
    await using other = await connectRaw(kind, { signal: living.signal });
    const session = await other.client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await other.peer.next("session/prompt");
    const reason = new Error("enough");
    living.abort(reason);
    await expect(turn.result).rejects.toMatchObject({ name: "ConnectionError", code: "closed", cause: reason });
    await expect(other.client.closed).resolves.toMatchObject({ code: "closed" });
  });

  it("settle.abandoned: aborting a request sends the agent a cancel, and the agent's response settles the request", async () => {
    await using agent = await connectRaw(kind);
    const controller = new AbortController();
    await agent.client.newSession({ cwd: "/work" }, { signal: controller.signal });
    const early = agent.client.newSession({ cwd: "/work" }, { signal: AbortSignal.abort(new Error("too early")) });
    await expect(early).rejects.toThrow("too early");
    agent.peer.answer("session/new", () => undefined);
    const second = agent.client.newSession({ cwd: "/work" }, { signal: controller.signal });
    const request = await agent.peer.next("session/new");
    controller.abort(new Error("changed my mind"));
    expect((await agent.peer.next("$/cancel_request")).params).toEqual({ requestId: request.id });
    agent.peer.refuse(request, -32800, "cancelled");
    await expect(second).rejects.toMatchObject({ name: "RpcError", code: -32800 });
    expect(agent.peer.received.items.filter(({ method }) => method === "session/new")).toHaveLength(2);
  });
});

it("settle.last-requests: requests that had arrived in full before the end of input still get responses, if the output is open", async () => {
  await using client = await rawClientWithSession("a child process");
  const { peer } = client;
  const answers = [
    peer.request("session/list", {}),
    peer.request("session/prompt", promptOf("say last words")),
    peer.request("session/new", { cwd: "/work", mcpServers: [] }),
  ];
  client.write('{"jsonrpc":"2.0","id":"torn","method":"session/li');
  client.end();
  const [list, prompt, created] = await Promise.all(answers);
  expect(list?.result).toMatchObject({ sessions: [{ sessionId: "saved-1" }] });
  expect(prompt && stopReason(prompt)).toMatch(/^(end_turn|cancelled)$/);
  expect(created?.result).toMatchObject({ sessionId: "session-2" });
  expect(await client.ended).toEqual([0, null]);
});
