import type { Message, TransportReceiver } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RemoteError } from "../wire/remote-error.js";
import { remoteLimitsOf } from "./http-agent-options.js";
import type { RemoteTransport } from "./remote-source.js";
import { ResumableTransport } from "./resumable-transport.js";

const url = "http://127.0.0.1/acp";
const update = (n: number) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", n } });
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } } as const;
const identity = { "acp-kit/client": "c", "acp-kit/server": "s" };
const keeps = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, _meta: identity } };
const keepsNone = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } };

/** A connection whose peer is the test. */
class FakeConnection implements RemoteTransport {
  readonly #ended = deferred();
  readonly ended = this.#ended.promise;
  readonly full = undefined;
  readonly sent: Message[] = [];
  readonly calls: string[] = [];
  receiver: TransportReceiver | undefined;

  start(receiver: TransportReceiver): void {
    this.receiver = receiver;
  }

  send(message: Message): number {
    this.sent.push(message);
    return 1;
  }

  pause(): void {
    this.calls.push("pause");
  }

  resume(): void {
    this.calls.push("resume");
  }

  async close(): Promise<void> {
    this.calls.push("close");
    this.#ended.resolve();
  }

  fail(error: RemoteError): void {
    this.calls.push("fail");
    this.#ended.resolve();
    this.receiver?.failed(error);
  }
}

/** A started transport that has sent `initialize`, and a list of its deliveries. */
function start(first: Message = initialize) {
  const connections: FakeConnection[] = [];
  const changes: string[] = [];
  const transport = new ResumableTransport({
    open: () => {
      const connection = new FakeConnection();
      connections.push(connection);
      return connection;
    },
    url,
    limits: remoteLimitsOf({}),
    onChange: ({ is }) => changes.push(is),
  });
  const delivered: unknown[] = [];
  const arrival = deferred();
  const deliver = (value: unknown): void => {
    delivered.push(value);
    arrival.resolve();
  };
  transport.start({
    message: (value) => deliver(value),
    malformed: () => deliver("malformed"),
    ended: () => deliver("ended"),
    failed: (error) => deliver(error),
  });
  transport.send(first);
  const [connection] = connections as [FakeConnection];
  const receive = (value: unknown): void => connection.receiver?.message(value, 1);
  return { transport, connection, connections, changes, delivered, receive, firstArrival: arrival.promise };
}

describe("a connection before the response to initialize", () => {
  it("forwards all messages immediately if the server does not continue connections", () => {
    const { transport, connection, delivered, receive } = start();
    receive(keepsNone);
    receive(update(1));
    expect(delivered).toEqual([keepsNone, update(1)]);
    expect(connection.calls).toEqual([]);
    transport.send(update(2) as Message);
    expect(connection.sent.at(-1)).toEqual(update(2));
  });

  it("forwards values that are not messages, and invalid `initialize` requests, for whose response no request waits", () => {
    const { transport, connection, receive } = start();
    const send = (value: unknown): number => transport.send(value as Message);
    send(null);
    receive(keepsNone);
    const { id: _, ...withoutId } = initialize;
    const list = { ...initialize, id: 1, method: "session/list" };
    const values = [null, 42, { ...initialize, params: undefined }, withoutId, { ...initialize, id: {} }, list];
    for (const value of values) send(value);
    expect(connection.sent.slice(1)).toEqual([null, ...values]);
  });

  it("delivers messages that arrive while the code for continuing is loaded, in order and after the response, and reads again", async () => {
    const { connection, delivered, receive, firstArrival } = start();
    receive(keeps);
    receive(update(1));
    receive(update(2));
    expect(delivered).toEqual([]);
    expect(connection.calls).toEqual(["pause"]);
    await firstArrival;
    expect(delivered).toEqual([{ ...keeps, result: { protocolVersion: 1 } }, update(1), update(2)]);
    expect(connection.calls).toEqual(["pause", "resume"]);
  });

  it("stays paused if the application has paused it meanwhile", async () => {
    const { transport, connection, receive, firstArrival } = start();
    receive(keeps);
    transport.pause();
    await firstArrival;
    expect(connection.calls).not.toContain("resume");
    transport.resume();
    expect(connection.calls.at(-1)).toBe("resume");
  });

  it("is restored if it is lost while the code is loaded, and repeats the requests that were sent meanwhile", async () => {
    const { transport, connection, connections, changes, receive, firstArrival } = start();
    receive(keeps);
    const call = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } } as const;
    transport.send(call);
    connection.receiver?.failed(new RemoteError("stream_broken", "cut", { url }));
    await firstArrival;
    expect(changes).toEqual(["lost"]);
    await expect.poll(() => connections[1]?.sent[0]).toMatchObject({ method: "initialize" });
    const [, second] = connections as [FakeConnection, FakeConnection];
    const [again] = second.sent as unknown as [{ id: string }];
    second.receiver?.message({ ...keeps, id: again.id }, 1);
    await expect.poll(() => second.sent[1]).toEqual(call);
    expect(changes).toEqual(["lost", "restored"]);
    await transport.close();
  });

  it.each(["close", "fail"] as const)(
    "delivers no message after `%s` if the code is still being loaded",
    async (how) => {
      const { transport, connection, delivered, receive } = start();
      receive(keeps);
      const error = new RemoteError("aborted", "by the test", { url });
      if (how === "close") await transport.close();
      else transport.fail(error);
      await transport.ended;
      await import("./resume/resuming-transport.js");
      await Promise.resolve();
      expect(delivered).toEqual(how === "close" ? [] : [error]);
      expect(connection.calls).toEqual(["pause", how]);
    },
  );

  it("reports a failure only once, before and after the response", () => {
    for (const responses of [[], [keepsNone]]) {
      const { transport, delivered, receive } = start();
      for (const response of responses) receive(response);
      const error = new RemoteError("aborted", "by the test", { url });
      transport.fail(error);
      expect(delivered).toEqual([...responses, error]);
    }
  });
});

describe("messages that the application sends without a connection", () => {
  const prompt = (id: number, text: string) =>
    ({
      jsonrpc: "2.0",
      id,
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ type: "text", text }] },
    }) as const;
  const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } } as const;
  const steer = { jsonrpc: "2.0", method: "_steer", params: { sessionId: "s" } } as const;

  /** Loses the connection, sends messages, and returns what the next connection sends after `initialize`. */
  async function sentAfterLoss(before: readonly Message[], without: readonly Message[]): Promise<Message[]> {
    const { transport, connection, connections, receive, firstArrival } = start();
    receive(keeps);
    await firstArrival;
    for (const message of before) transport.send(message);
    connection.receiver?.failed(new RemoteError("stream_broken", "cut", { url }));
    for (const message of without) transport.send(message);
    await expect.poll(() => connections[1]?.sent[0]).toMatchObject({ method: "initialize" });
    const [, second] = connections as [FakeConnection, FakeConnection];
    const [again] = second.sent as unknown as [{ id: string }];
    second.receiver?.message({ ...keeps, id: again.id }, 1);
    const last = { jsonrpc: "2.0", method: "_last", params: {} } as const;
    await transport.full;
    transport.send(last);
    await transport.close();
    expect(second.sent.at(-1)).toEqual(last);
    return second.sent.slice(1, -1);
  }

  it("arrive in order, so that a cancellation does not cancel the prompt after it", async () => {
    expect(await sentAfterLoss([prompt(1, "one")], [cancel, prompt(2, "two")])).toEqual([
      prompt(1, "one"),
      cancel,
      prompt(2, "two"),
    ]);
    expect(await sentAfterLoss([], [cancel, prompt(1, "one")])).toEqual([cancel, prompt(1, "one")]);
  });

  describe.each([1, 2])("arrive once each, also a cancellation without a pending prompt, in version %i", (version) => {
    const state =
      version === 2
        ? { sessionUpdate: "state_update", state: "idle" }
        : { sessionUpdate: "session_info_update", _meta: { "acp-kit/turn": "idle" } };
    const idle: Message = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: state } };
    const inserted = { jsonrpc: "2.0", id: 1, result: { _meta: { "acp-kit/cursor": "at the insertion" } } } as const;
    /** The cancellation with the position of the client when it cancelled. */
    const again = { ...cancel, params: { sessionId: "s", _meta: { "acp-kit/cursor": "at the insertion" } } };
    /** Cancels work whose prompt has its response. Returns what the client sends on the next connection. */
    const ofWork = async (after: readonly Message[], without: readonly Message[]): Promise<Message[]> => {
      const { transport, connection, connections, receive, firstArrival } = start();
      const response = { ...keeps, result: { ...keeps.result, protocolVersion: version } };
      receive(response);
      await firstArrival;
      transport.send({ jsonrpc: "2.0", id: 9, method: "session/resume", params: { sessionId: "s", cwd: "/" } });
      receive({ jsonrpc: "2.0", id: 9, result: {} });
      transport.send(prompt(1, "one"));
      receive(inserted);
      transport.send(cancel);
      for (const message of after) message === idle ? receive(message) : transport.send(message);
      connection.receiver?.failed(new RemoteError("stream_broken", "cut", { url }));
      for (const message of without) transport.send(message);
      await expect.poll(() => connections[1]?.sent[0]).toMatchObject({ method: "initialize" });
      const [, second] = connections as [FakeConnection, FakeConnection];
      const [initialize] = second.sent as unknown as [{ id: string }];
      second.receiver?.message({ ...response, id: initialize.id }, 1);
      await expect.poll(() => second.sent[1]).toMatchObject({ method: "session/resume" });
      const [, resume] = second.sent as unknown as [unknown, { id: string }];
      second.receiver?.message({ jsonrpc: "2.0", id: resume.id, result: {} }, 1);
      await transport.full;
      await transport.close();
      expect(connection.sent).toContainEqual(again); // also the first time
      return second.sent.slice(2);
    };

    it("it is sent again until the work ends", async () => {
      expect(await ofWork([], [])).toEqual([again]);
      expect(await ofWork([], [cancel])).toEqual([again]);
      expect(await ofWork([idle], [])).toEqual([]);
    });

    it("it is sent before a later prompt, and not again after one", async () => {
      expect(await ofWork([], [prompt(2, "two")])).toEqual([again, prompt(2, "two")]);
      expect(await ofWork([prompt(2, "two")], [])).toEqual([prompt(2, "two")]);
      expect(await ofWork([idle], [cancel, prompt(2, "two")])).toEqual([again, prompt(2, "two")]);
    });
  });

  it("arrive once each, also a cancellation of a pending request", async () => {
    const cancelRequest = { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } } as const;
    expect(await sentAfterLoss([prompt(1, "one")], [cancelRequest])).toEqual([prompt(1, "one"), cancelRequest]);
    expect(await sentAfterLoss([], [prompt(1, "one"), steer, prompt(2, "two"), cancel])).toEqual([
      prompt(1, "one"),
      cancel,
      steer,
      prompt(2, "two"),
      cancel,
    ]);
  });
});

it("an open request that is repeated does not count as a part of the next entry", async () => {
  const { transport, connection, connections, delivered, receive, firstArrival } = start();
  receive(keeps);
  await firstArrival;
  const at = (cursor: string) => ({ "acp-kit/cursor": cursor });
  transport.send({ jsonrpc: "2.0", id: 1, method: "session/resume", params: { sessionId: "s", cwd: "/" } });
  receive({ jsonrpc: "2.0", id: 1, result: { _meta: at("1") } });
  const request = (id: number) => ({
    ...{ jsonrpc: "2.0", id, method: "session/request_permission" },
    params: { sessionId: "s", _meta: { "acp-kit/request": "r" } },
  });
  receive(request(7));
  connection.receiver?.failed(new RemoteError("stream_broken", "cut", { url }));
  await expect.poll(() => connections[1]?.sent[0]).toMatchObject({ method: "initialize" });
  const second = connections[1] as FakeConnection;
  const respond = (index: number, result: object): void => {
    const { id } = second.sent[index] as unknown as { readonly id: string };
    second.receiver?.message({ jsonrpc: "2.0", id, result }, 1);
  };
  respond(0, keeps.result);
  await expect.poll(() => second.sent[1]).toMatchObject({ method: "session/resume", params: { _meta: at("1") } });
  const entry = [update(1), { ...update(2), params: { ...update(2).params, _meta: at("2") } }];
  for (const part of entry) second.receiver?.message(part, 1); // in version 2, before the response
  respond(1, { _meta: { "acp-kit/requests": ["r"] } });
  await transport.full;
  second.receiver?.message(request(8), 1);
  second.receiver?.message(update(3), 1);
  expect(delivered.slice(3)).toEqual([update(1), update(2), update(3)]);
  await transport.close();
});

it("does not give up while each connection brings it further, also if all of them break before the session is resumed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { transport, connection, connections, delivered, receive, firstArrival } = start();
  const at = (cursor: number) => ({ "acp-kit/cursor": `${cursor}` });
  const broken = new RemoteError("stream_broken", "cut", { url });
  receive(keeps);
  await firstArrival;
  transport.send({ jsonrpc: "2.0", id: 1, method: "session/resume", params: { sessionId: "s", cwd: "/" } });
  receive({ jsonrpc: "2.0", id: 1, result: { _meta: at(0) } });
  const from = performance.now();
  connection.receiver?.failed(broken);
  for (let count = 1; count <= 500; count++) {
    await vi.advanceTimersByTimeAsync(100);
    const next = connections[count] as FakeConnection;
    const { id } = next.sent[0] as unknown as { readonly id: string };
    next.receiver?.message({ ...keeps, id }, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(next.sent[1]).toMatchObject({ method: "session/resume", params: { _meta: at(count - 1) } });
    const { params } = update(count);
    next.receiver?.message({ ...update(count), params: { ...params, _meta: at(count) } }, 1);
    next.receiver?.failed(broken);
  }
  expect(performance.now() - from).toBeGreaterThan(remoteLimitsOf({}).reconnectTimeoutMs);
  expect(delivered.slice(2)).toEqual(Array.from({ length: 500 }, (_, index) => update(index + 1)));
  // Connections that bring the same update again bring it no further
  for (let count = 501; connections[count - 1] !== undefined; count++) {
    await vi.advanceTimersByTimeAsync(remoteLimitsOf({}).maxReconnectDelayMs);
    const next = connections[count];
    const { id } = (next?.sent[0] ?? {}) as unknown as { readonly id: string };
    next?.receiver?.message({ ...keeps, id }, 1);
    await vi.advanceTimersByTimeAsync(0);
    next?.receiver?.message({ ...update(500), params: { ...update(500).params, _meta: at(500) } }, 1);
    next?.receiver?.failed(broken);
  }
  expect(delivered.at(-1)).toMatchObject({ code: "connection_lost" });
  await transport.close();
});

describe("a client of version 2", () => {
  it("requests cursors in the members that it sends, which show the versions that it speaks", () => {
    const cursors = { _meta: { "acp-kit/cursors": true } };
    for (const [sent, asked] of [
      [{}, { clientCapabilities: cursors }],
      [{ capabilities: {} }, { capabilities: cursors }],
      [
        { capabilities: {}, clientCapabilities: { terminal: true } },
        { capabilities: cursors, clientCapabilities: { terminal: true, ...cursors } },
      ],
    ]) {
      const { transport, connection } = start({ ...initialize, params: { protocolVersion: 2, ...sent } });
      expect(connection.sent).toMatchObject([{ params: { protocolVersion: 2, ...asked } }]);
      const { params } = connection.sent[0] as { readonly params?: object };
      expect(Object.keys(params ?? {}).sort()).toEqual(
        [...Object.keys(asked ?? {}), "_meta", "protocolVersion"].sort(),
      );
      void transport.close();
    }
  });

  it("can send `initialize` again after an error, and then continues its connection", async () => {
    const { transport, connection, delivered, receive } = start();
    const refused = { jsonrpc: "2.0", id: 0, error: { code: -32_022, message: "unsupported" } };
    transport.send({ ...initialize, id: 1, method: "session/list" });
    expect(connection.sent).toHaveLength(1); // waits for the response
    receive(refused);
    expect(connection.sent[1]).toMatchObject({ method: "session/list" });
    transport.send({ ...initialize, id: 2 });
    receive({ ...keeps, id: 2 });
    await expect.poll(() => delivered).toEqual([refused, { ...keeps, id: 2, result: { protocolVersion: 1 } }]);
  });

  it.each([
    [1, "clientCapabilities"],
    [2, "capabilities"],
  ] as const)(
    "that also speaks version 1 offers only version %i on later connections, if the server has chosen it",
    async (version, member) => {
      const offered = { capabilities: {}, clientCapabilities: {}, info: { name: "c", version: "1" } };
      const both = { ...initialize, params: { protocolVersion: 2, ...offered } };
      const { transport, connection, connections, receive, firstArrival } = start(both);
      receive({ ...keeps, result: { ...keeps.result, protocolVersion: version } });
      await firstArrival;
      connection.receiver?.failed(new RemoteError("stream_broken", "cut", { url }));
      await expect.poll(() => connections[1]?.sent[0]).toMatchObject({ params: { protocolVersion: version } });
      const again = connections[1]?.sent[0] as { readonly params?: object } | undefined;
      expect(Object.keys(again?.params ?? {}).sort()).toEqual(["_meta", member, "info", "protocolVersion"].sort());
      void transport.close();
    },
  );

  it("gets an error if the server has another version on the next connection", async () => {
    const { connection, connections, delivered, receive, firstArrival } = start();
    receive(keeps);
    await firstArrival;
    connection.receiver?.failed(new RemoteError("stream_broken", "cut", { url }));
    await expect.poll(() => connections[1]?.sent[0]).toMatchObject({ method: "initialize" });
    const [, second] = connections as [FakeConnection, FakeConnection];
    const [again] = second.sent as unknown as [{ id: string }];
    second.receiver?.message({ ...keeps, id: again.id, result: { ...keeps.result, protocolVersion: 2 } }, 1);
    await expect
      .poll(() => delivered.at(-1))
      .toMatchObject({ code: "connection_lost", message: expect.stringContaining("changed its version") });
  });
});
