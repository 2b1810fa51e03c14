import { type Diagnostic, isRpcError, type LinkedTransport, linkedTransports } from "@acp-kit/jsonrpc";
import { isDecodeError } from "@acp-kit/types/decode";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { extension, extensionNotification } from "./extension.js";
import { Peer, type PeerOptions } from "./peer.js";
import type { StandardSchema } from "./standard-schema.js";
import { type V1AgentCalls, type V1ClientCalls, v1Agent, v1Client } from "./v1.js";

interface Pair {
  readonly agent: Peer<V1AgentCalls>;
  readonly client: Peer<V1ClientCalls>;
  readonly agentSide: LinkedTransport;
  readonly clientSide: LinkedTransport;
  /** Every message the agent received and sent. */
  readonly wire: unknown[];
  readonly diagnostics: Diagnostic[];
}

const open: Pair[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const { agent, client } of open.splice(0))
    await Promise.all([agent.connection.close(), client.connection.close()]);
});

/** Two peers that have not started to listen: handlers are registered first. */
function pair(options: { agent?: PeerOptions; client?: PeerOptions } = {}): Pair {
  const [agentSide, clientSide] = linkedTransports();
  const wire: unknown[] = [];
  const diagnostics: Diagnostic[] = [];
  const watch: PeerOptions = {
    tap: ({ message }) => wire.push(message),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  };
  const agent = new Peer(agentSide, v1Agent, { ...watch, ...options.agent });
  const client = new Peer(clientSide, v1Client, options.client);
  const made = { agent, client, agentSide, clientSide, wire, diagnostics };
  open.push(made);
  return made;
}

function listen({ agent, client }: Pair, agreed = true): void {
  if (agreed) {
    agent.setAgreement({ protocolVersion: 1, capabilities: { fs: { readTextFile: true } } });
    client.setAgreement({ protocolVersion: 1, capabilities: { loadSession: true } });
  }
  agent.connection.listen();
  client.connection.listen();
}

describe("gates", () => {
  test("a method the other side did not advertise rejects with CapabilityError and sends nothing", async () => {
    const peers = pair();
    listen(peers);
    const attempt = peers.agent.request("fs/write_text_file", { sessionId: "s", path: "/a", content: "" });
    await expect(attempt).rejects.toMatchObject({
      name: "CapabilityError",
      method: "fs/write_text_file",
      capability: "clientCapabilities.fs.writeTextFile",
    });
    expect(peers.wire).toEqual([]);
  });

  test("an advertised method passes", async () => {
    const peers = pair();
    peers.client.handle("fs/read_text_file", () => ({ content: "text" }));
    listen(peers);
    const answer = await peers.agent.request("fs/read_text_file", { sessionId: "s", path: "/a" });
    expect(answer).toEqual({ content: "text" });
  });

  test("nothing is offered before initialize", async () => {
    const peers = pair();
    listen(peers, false);
    expect(peers.client.offers("agentCapabilities.loadSession")).toBe(false);
    const attempt = peers.client.request("session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
    await expect(attempt).rejects.toMatchObject({ name: "CapabilityError" });
  });

  test("one of several capabilities is enough, and none names them all", async () => {
    const peers = pair();
    listen(peers);
    const form = {
      mode: "form" as const,
      sessionId: "s",
      message: "?",
      requestedSchema: { type: "object" as const, properties: {} },
    };
    await expect(peers.agent.request("elicitation/create", form)).rejects.toMatchObject({
      capability: "clientCapabilities.elicitation.form or clientCapabilities.elicitation.url",
    });
    peers.client.handle("elicitation/create", () => ({ action: "decline" }));
    peers.agent.setAgreement({ protocolVersion: 1, capabilities: { elicitation: { form: {} } } });
    expect(await peers.agent.request("elicitation/create", form)).toEqual({ action: "decline" });
  });

  test("INIT-20 a request before initialize gets the error -32600", async () => {
    const peers = pair();
    peers.agent.handle("session/new", () => ({ sessionId: "s" }));
    listen(peers, false);
    const attempt = peers.client.request("session/new", { cwd: "/", mcpServers: [] });
    await expect(attempt).rejects.toMatchObject({ name: "RpcError", code: -32600 });
  });

  test("CAP-22 a method without a handler gets the error -32601", async () => {
    const peers = pair();
    listen(peers);
    const attempt = peers.client.request("session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
    await expect(attempt).rejects.toMatchObject({ code: -32601 });
  });
});

describe("decoding", () => {
  test("malformed params get the error -32602 with the path, and the handler never sees them", async () => {
    const peers = pair();
    const handler = vi.fn(() => ({ sessionId: "s" }));
    peers.agent.handle("session/new", handler);
    listen(peers);
    const attempt = peers.client.connection.request("session/new", { cwd: "/", mcpServers: [{ name: "x" }] });
    await expect(attempt).rejects.toMatchObject({
      code: -32602,
      data: { issues: [{ path: ["mcpServers", 0, expect.anything()] }] },
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test("a result that is not what the schema says rejects with DecodeError", async () => {
    const peers = pair();
    peers.agent.connection.onRequest("session/new", () => ({ sessionId: 5 }));
    listen(peers);
    const attempt = peers.client.request("session/new", { cwd: "/", mcpServers: [] });
    await expect(attempt).rejects.toMatchObject({ name: "DecodeError", issues: [{ path: ["sessionId"] }] });
  });

  test("SESS-17 a null result reads as an empty object", async () => {
    const peers = pair();
    peers.agent.connection.onRequest("session/load", () => null);
    listen(peers);
    expect(await peers.client.request("session/load", { sessionId: "s", cwd: "/", mcpServers: [] })).toEqual({});
  });

  test("what the schema repairs is reported", async () => {
    const peers = pair();
    peers.agent.handle("session/new", () => ({ sessionId: "s" }));
    listen(peers);
    await peers.client.connection.request("session/new", { cwd: "/", mcpServers: null });
    expect(peers.diagnostics).toMatchObject([
      { code: "salvaged", method: "session/new", data: [{ path: ["mcpServers"] }] },
    ]);
  });

  test("UPD-03 an unknown update reaches the handler as it is", async () => {
    const peers = pair();
    const received: unknown[] = [];
    peers.client.handleNotification("session/update", ({ update }) => void received.push(update));
    peers.client.connection.onRequest("fence", () => null);
    listen(peers);
    const update = { sessionUpdate: "future_thing", deep: { kept: [1, 2] } };
    peers.agent.connection.notify("session/update", { sessionId: "s", update });
    await peers.agent.connection.request("fence");
    expect(received).toEqual([update]);
  });

  test("a malformed notification is dropped and reported, and gets no response", async () => {
    const peers = pair({ client: {} });
    const received = vi.fn();
    peers.agent.handleNotification("session/cancel", received);
    peers.agent.connection.onRequest("fence", () => null);
    listen(peers);
    peers.client.connection.notify("session/cancel", { sessionId: 5 });
    await peers.client.connection.request("fence");
    expect(received).not.toHaveBeenCalled();
    expect(peers.diagnostics).toMatchObject([{ code: "invalid_params", method: "session/cancel" }]);
    expect(peers.wire).toHaveLength(3); // the notification, the fence, its answer
  });
});

describe("results", () => {
  test("a handler that returns nothing responds with {}", async () => {
    const peers = pair();
    peers.client.handle("fs/read_text_file", () => undefined as never);
    listen(peers);
    await peers.agent.connection.request("fs/read_text_file", { sessionId: "s", path: "/a" });
    expect(peers.wire.at(-1)).toMatchObject({ result: {} });
  });

  test.each(["at once", "later"])(
    "what a handler does after its answer comes after it on the wire (%s)",
    async (when) => {
      const peers = pair();
      peers.agent.handle("session/new", (_params, { afterResponse }) => {
        afterResponse(() => void peers.agent.notify("session/update", anUpdate));
        return when === "at once" ? { sessionId: "s" } : Promise.resolve({ sessionId: "s" });
      });
      const order: string[] = [];
      peers.client.handleNotification("session/update", () => void order.push("update"));
      listen(peers);
      await peers.client.connection.request("session/new", { cwd: "/", mcpServers: [] });
      await vi.waitFor(() => expect(order).toEqual(["update"]));
      expect(peers.wire.slice(1)).toMatchObject([{ result: { sessionId: "s" } }, { method: "session/update" }]);
    },
  );

  test("after an error response nothing is run", async () => {
    const peers = pair();
    const action = vi.fn();
    peers.agent.handle("session/new", async (_params, { afterResponse }) => {
      afterResponse(action);
      throw new Error("no");
    });
    peers.agent.connection.onRequest("fence", () => null);
    listen(peers);
    await expect(peers.client.request("session/new", { cwd: "/", mcpServers: [] })).rejects.toMatchObject({
      code: -32603,
    });
    await peers.client.connection.request("fence");
    expect(action).not.toHaveBeenCalled();
  });
});

describe("checkOutgoing", () => {
  const refuse: PeerOptions["checkOutgoing"] = (method, part) =>
    method === "session/new" ? [{ path: [part], message: "wrong" }] : [];

  test("params that fail it reject with DecodeError and are not sent", async () => {
    const peers = pair({ client: { checkOutgoing: refuse } });
    listen(peers);
    const attempt = peers.client.request("session/new", { cwd: "/", mcpServers: [] });
    await expect(attempt).rejects.toMatchObject({ name: "DecodeError", issues: [{ path: ["params"] }] });
    expect(peers.wire).toEqual([]);
  });

  test("a result that fails it is an internal error of that request; only the diagnostic has the details", async () => {
    const peers = pair({ agent: { checkOutgoing: refuse } });
    peers.agent.handle("session/new", () => ({ sessionId: "s" }));
    listen(peers);
    const attempt = peers.client.request("session/new", { cwd: "/", mcpServers: [] });
    await expect(attempt).rejects.toMatchObject({ code: -32603, message: "Internal error", data: undefined });
  });
});

describe("deadlines", () => {
  beforeEach(() => void vi.useFakeTimers());

  test("an ordinary request gives up after requestTimeoutMs", async () => {
    const peers = pair({ client: { requestTimeoutMs: 50 } });
    peers.agent.handle("session/new", () => new Promise(() => {}));
    listen(peers);
    const attempt = peers.client.request("session/new", { cwd: "/", mcpServers: [] });
    await vi.advanceTimersByTimeAsync(50);
    await expect(attempt).rejects.toMatchObject({ name: "ConnectionError", code: "timeout", method: "session/new" });
  });

  test("a prompt has none", async () => {
    const peers = pair({ client: { requestTimeoutMs: 50 } });
    let finish = (): void => {};
    peers.agent.handle("session/prompt", () => {
      return new Promise((resolve) => {
        finish = () => resolve({ stopReason: "end_turn" });
      });
    });
    listen(peers);
    const attempt = peers.client.request("session/prompt", { sessionId: "s", prompt: [] });
    await vi.advanceTimersByTimeAsync(3_600_000);
    finish();
    await expect(attempt).resolves.toEqual({ stopReason: "end_turn" });
  });
});

describe("extensions", () => {
  const text: StandardSchema<{ text: string }> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) =>
        typeof (value as { text?: unknown } | null)?.text === "string"
          ? { value: value as { text: string } }
          : { issues: [{ message: "must be a string", path: ["text"] }] },
    },
  };
  const asynchronous: StandardSchema<{ text: string }> = {
    "~standard": { ...text["~standard"], validate: async (value) => text["~standard"].validate(value) },
  };

  test.each([
    ["synchronous", text],
    ["asynchronous", asynchronous],
  ])("a request is read by a %s schema", async (_name, schema) => {
    const peers = pair({
      agent: { extensions: { "_test/shout": extension(schema, ({ text }) => ({ text: text.toUpperCase() })) } },
    });
    listen(peers);
    expect(await peers.client.extensionRequest("_test/shout", { text: "hi" }, { result: schema })).toEqual({
      text: "HI",
    });
    await expect(peers.client.extensionRequest("_test/shout", { text: 5 })).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: text: must be a string",
      data: { issues: [{ path: ["text"], message: "must be a string" }] },
    });
  });

  test("a notification that fails its schema is dropped and reported", async () => {
    const received = vi.fn();
    const peers = pair({ agent: { extensions: { "_test/notify": extensionNotification(text, received) } } });
    peers.agent.connection.onRequest("fence", () => null);
    listen(peers);
    peers.client.extensionNotify("_test/notify", { text: 5 });
    peers.client.extensionNotify("_test/notify", { text: "hi" });
    await peers.client.connection.request("fence");
    expect(received.mock.calls).toEqual([[{ text: "hi" }]]);
    expect(peers.diagnostics).toMatchObject([{ code: "handler_failed", method: "_test/notify" }]);
  });

  test("EXT-05 an unknown extension request gets the error -32601", async () => {
    const peers = pair();
    listen(peers);
    await expect(peers.client.extensionRequest("_no/such")).rejects.toMatchObject({ code: -32601 });
  });

  test("RPC-20 a name without the underscore is refused before anything is sent", () => {
    const peers = pair();
    listen(peers);
    expect(() => peers.client.extensionRequest("no/such" as "_no/such")).toThrow(TypeError);
    expect(() => pair({ agent: { extensions: { "no/such": extension(text, () => null) } as never } })).toThrow(
      TypeError,
    );
    expect(peers.wire).toEqual([]);
  });

  test.each([
    ["synchronous", text],
    ["asynchronous", asynchronous],
  ])(
    "an answer that fails its %s schema rejects with a DecodeError: the peer answered no error",
    async (_name, schema) => {
      const peers = pair({ agent: { extensions: { "_test/echo": extension(text, () => ({ text: 5 })) } } });
      listen(peers);
      const error = await peers.client
        .extensionRequest("_test/echo", { text: "" }, { result: schema })
        .catch((reason: unknown) => reason);
      expect(isRpcError(error)).toBe(false);
      expect(isDecodeError(error)).toBe(true);
      expect(error).toMatchObject({
        message: "text: must be a string",
        issues: [{ path: ["text"], message: "must be a string" }],
      });
    },
  );

  test("a request calls onSettled, as requests of the protocol do", async () => {
    const peers = pair({ agent: { extensions: { "_test/echo": extension(text, (params) => params) } } });
    listen(peers);
    const onSettled = vi.fn();
    await peers.client.extensionRequest("_test/echo", { text: "" }, { onSettled });
    expect(onSettled).toHaveBeenCalledTimes(1);
  });
});

const anUpdate = {
  sessionId: "s",
  update: { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text: "hi" } },
};

describe("onResult", () => {
  test("receives the result before the next message is handled; an error that it throws rejects the request", async () => {
    const peers = pair();
    const update = { sessionUpdate: "current_mode_update" as const, currentModeId: "plan" };
    peers.agent.handle("session/set_mode", ({ sessionId, modeId }, context) => {
      context.afterResponse(() => void peers.agent.notify("session/update", { sessionId, update }));
      return { _meta: { modeId } };
    });
    const events: unknown[] = [];
    peers.client.handleNotification("session/update", ({ sessionId }) => {
      events.push(sessionId);
    });
    listen(peers);
    const params = { sessionId: "s", modeId: "code" };
    await peers.client.request("session/set_mode", params, { onResult: (result) => void events.push(result) });
    expect(events).toEqual([{ _meta: { modeId: "code" } }, "s"]);
    const onResult = (): never => {
      throw new Error("broken");
    };
    await expect(peers.client.request("session/set_mode", params, { onResult })).rejects.toThrow("broken");
  });
});
