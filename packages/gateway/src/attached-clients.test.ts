import { RpcError } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { RawClient } from "../test/raw-client.js";
import { ann, bob, type RigOptions, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import type { Outcome } from "./journal/journal-entry.js";

/** Two clients on one session with a running turn. */
async function two(options?: RigOptions, capabilities: object = {}) {
  const rig = await startRig(options);
  const first = await rig.client(ann, capabilities);
  const sessionId = await first.newSession();
  const second = await rig.client(ann, capabilities);
  await second.resume(sessionId);
  const { turn, response } = await rig.turn(first, sessionId, "go");
  return { rig, first, second, sessionId, turn, response };
}

const yes = { outcome: { outcome: "selected", optionId: "yes" } };
const no = { outcome: { outcome: "selected", optionId: "no" } };

describe("several clients on one session", () => {
  test("receive all entries in the same order, and prompts of other clients as user messages", async () => {
    const { first, second, turn, response, sessionId, rig } = await two();
    turn.say("a");
    turn.end();
    await response;
    const next = await rig.turn(second, sessionId, "more");
    next.turn.say("b");
    next.turn.end();
    await next.response;
    await first.until(() => first.log.at(-1) === "turn idle");
    expect(second.log.slice(1)).toEqual([
      "turn running",
      "user: go",
      "agent: a",
      "turn idle",
      "agent: b",
      "session/prompt -> end_turn",
    ]);
    expect(first.log.slice(1)).toEqual([
      "agent: a",
      "session/prompt -> end_turn",
      "turn running",
      "user: more",
      "agent: b",
      "turn idle",
    ]);
  });

  test("the first response to a permission request wins, and the request is cancelled at the other clients", async () => {
    const { first, second, turn } = await two();
    const permission = turn.permission();
    await Promise.all([first, second].map((client) => client.until(() => client.requests.length === 1)));
    second.requests[0]?.respond(yes);
    expect(await permission).toEqual(yes);
    await first.until(() => first.log.includes("session/request_permission cancelled"));
    first.requests[0]?.respond(no);
    await settled();
    expect(second.log).not.toContain("session/request_permission cancelled");
  });

  test("a client that joins a session receives the open requests, and its response is accepted", async () => {
    const { rig, first, sessionId, turn } = await two();
    const permission = turn.permission();
    await first.until(() => first.requests.length === 1);
    for (const join of ["load", "resume"] as const) {
      const client = await rig.client();
      await client[join](sessionId);
      await client.until(() => client.requests.length === 1);
      if (join === "resume") client.requests[0]?.respond(no);
    }
    expect(await permission).toEqual(no);
  });

  test("a request stays open for other clients if a client does not support its method", async () => {
    const { first, second, turn } = await two();
    const asked = turn.request("_vendor/ask");
    await Promise.all([first, second].map((client) => client.until(() => client.requests.length === 1)));
    first.requests[0]?.fail(new RpcError(-32601, "no"));
    await settled();
    second.requests[0]?.respond({ answer: 42 });
    expect(await asked).toEqual({ answer: 42 });
    const refused = turn.request("_vendor/ask");
    refused.catch(() => {});
    await Promise.all([first, second].map((client) => client.until(() => client.requests.length === 2)));
    for (const client of [first, second]) client.requests[1]?.fail(new RpcError(-32601, "no"));
    await expect(refused).rejects.toMatchObject({ code: -32601 });
  });

  test("an invalid response to a request of the agent settles the request with an error", async () => {
    const { first, turn } = await two();
    const permission = turn.permission();
    permission.catch(() => {});
    await first.until(() => first.requests.length === 1);
    first.requests[0]?.respond(JSON.parse("[".repeat(2_000) + "]".repeat(2_000)));
    await expect(permission).rejects.toMatchObject({ code: -32603, message: "Internal error" });
  });

  test("a slow client delays no other client, and receives every update", async () => {
    const { rig, first, sessionId, turn } = await two();
    const slow = rig.accept();
    const client = new RawClient(slow);
    await client.initialize();
    await client.resume(sessionId);
    slow.pause();
    for (let i = 0; i < 5_000; i++) turn.say("x");
    await first.until(() => first.text.length === 5_000);
    expect(client.text.length).toBeLessThan(3_000);
    slow.resume();
    await client.until(() => client.text.length === 5_000);
  });

  test("an observer receives everything, but can change nothing", async () => {
    const { rig, sessionId, turn } = await two();
    const observer = await rig.client({ ...ann, access: "observe" });
    await observer.load(sessionId);
    turn.say("seen");
    await observer.until(() => observer.text === "seen");
    void turn.permission().catch(() => {});
    for (const method of ["session/prompt", "session/new", "session/delete", "session/set_mode", "_x", "authenticate"])
      await expect(observer.request(method, { sessionId, prompt: [], cwd: "/" })).rejects.toMatchObject({
        code: -32600,
        data: { reason: "read_only" },
      });
    observer.connection.notify("session/cancel", { sessionId });
    await settled();
    expect(turn.isCancelled).toBe(false);
    expect(observer.requests).toEqual([]);
  });

  test("an observer that closes a session cancels no turn, even if no other client is attached", async () => {
    const { rig, first, second, sessionId, turn } = await two();
    const observer = await rig.client({ ...ann, access: "observe" });
    await observer.load(sessionId);
    await Promise.all([first.connection.close(), second.connection.close()]);
    await observer.request("session/close", { sessionId });
    await settled();
    expect(turn.isCancelled).toBe(false);
    turn.say("alone");
    turn.end();
    const client = await rig.client();
    await client.load(sessionId);
    await client.until(() => client.text === "alone");
  });

  test.each([
    ["supports", { sessionCapabilities: { close: {} } }],
    ["does not support", {}],
  ])(
    "a session that is closed cancels its prompts and permission requests, if the agent %s session/close",
    async (_, capabilities) => {
      const rig = await startRig({ agent: { capabilities } });
      const client = await rig.client();
      const sessionId = await client.newSession();
      const { turn, response } = await rig.turn(client, sessionId);
      const queued = client.prompt(sessionId, "queued");
      const permission = turn.permission();
      await client.until(() => client.requests.length === 1);
      await client.request("session/close", { sessionId });
      expect(await permission).toEqual({ outcome: { outcome: "cancelled" } });
      for (const prompt of [response, queued]) expect(await prompt).toEqual({ stopReason: "cancelled" });
    },
  );

  test("a permission request that crosses the cancellation of its turn is cancelled at once, and reaches no client", async () => {
    const { rig, first, sessionId, turn, response } = await two();
    await first.connection.notify("session/cancel", { sessionId });
    await settled();
    expect(await turn.permission()).toEqual({ outcome: { outcome: "cancelled" } });
    turn.end("cancelled");
    await response;
    expect(first.requests).toEqual([]);
    expect(rig.agent.methods()).toContain("session/cancel");
  });

  test("the last client that is not an observer closes the session", async () => {
    const { rig, first, second, sessionId, turn } = await two();
    const observer = await rig.client({ ...ann, access: "observe" });
    await observer.load(sessionId);
    await first.request("session/close", { sessionId });
    await settled();
    expect(turn.isCancelled).toBe(false);
    await second.request("session/close", { sessionId });
    expect(turn.isCancelled).toBe(true);
    await observer.until(() => observer.log.at(-1) === "turn idle");
  });
});

describe("a client that does not wait for the response to load or resume", () => {
  test.each(["load", "resume"] as const)("gets the response to its prompt, after that to %s", async (method) => {
    const { rig, sessionId, turn, response } = await two();
    turn.say("before");
    turn.end();
    await response;
    const client = await rig.client();
    const opened = client[method](sessionId);
    const next = await rig.turn(client, sessionId, "next");
    next.turn.say("after");
    next.turn.end();
    await opened;
    expect(await next.response).toEqual({ stopReason: "end_turn" });
    const history = method === "load" ? ["user: go", "agent: before"] : [];
    expect(client.log).toEqual([...history, `session/${method} -> ok`, "agent: after", "session/prompt -> end_turn"]);
  });

  test("receives an open request of the agent once if it resumes the session twice", async () => {
    const { rig, sessionId, turn } = await two();
    const permission = turn.permission();
    const client = await rig.client();
    await Promise.all([client.resume(sessionId), client.resume(sessionId)]);
    await client.until(() => client.requests.length > 0);
    for (const { respond } of client.requests) respond(yes);
    expect(await permission).toEqual(yes);
    expect(client.requests).toHaveLength(1);
  });

  test("gets the response to its prompt if it loads an open session again", async () => {
    const { rig, first, sessionId, turn, response } = await two();
    turn.end();
    await response;
    const opened = first.load(sessionId);
    const next = await rig.turn(first, sessionId, "next");
    next.turn.end();
    await opened;
    expect(await next.response).toEqual({ stopReason: "end_turn" });
  });
});

describe("no client attached", () => {
  test("the turn continues, and the next client receives the whole turn", async () => {
    const { rig, first, second, sessionId, turn } = await two();
    await Promise.all([first.connection.close(), second.connection.close()]);
    turn.say("alone");
    turn.end();
    await settled();
    const client = await rig.client();
    await client.load(sessionId);
    expect(client.text).toBe("alone");
  });

  test("requests wait a limited time for a client; then the policy decides", async () => {
    const { rig, first, second, sessionId, turn } = await two({ policy: { unattendedTimeoutMs: 10_000 } });
    await Promise.all([first.connection.close(), second.connection.close()]);
    const permission = turn.permission();
    await rig.clock.advance(9_000);
    const visitor = await rig.client();
    await visitor.load(sessionId);
    await visitor.until(() => visitor.requests.length === 1);
    await rig.clock.advance(20_000); // a client is attached meanwhile
    expect(visitor.log).not.toContain("session/request_permission cancelled");
    expect(await Promise.race([permission, "open"])).toBe("open");
    await visitor.connection.close();
    await rig.clock.advance(10_001);
    expect(await permission).toEqual(no);
    const elicitation = turn.request("elicitation/create");
    await rig.clock.advance(9_000);
    const passer = await rig.client();
    await passer.resume(sessionId);
    await passer.connection.close();
    await rig.clock.advance(9_000); // the time begins again when the last client has left
    expect(await Promise.race([elicitation, "open"])).toBe("open");
    await rig.clock.advance(1_001);
    expect(await elicitation).toEqual({ action: "cancel" });
  });

  test("a policy that has not decided when a client attaches leaves the decision to the client", async () => {
    const decision = deferred<Outcome>();
    const { rig, first, second, sessionId, turn } = await two({
      policy: { unattendedTimeoutMs: 10_000, unattended: () => decision.promise },
    });
    await Promise.all([first.connection.close(), second.connection.close()]);
    const permission = turn.permission();
    await rig.clock.advance(10_001);
    const visitor = await rig.client();
    await visitor.load(sessionId);
    await visitor.until(() => visitor.requests.length === 1);
    decision.resolve({ result: no });
    await settled();
    visitor.requests[0]?.respond(yes);
    expect(await permission).toEqual(yes);
  });

  test("a request waits the limited time also if the only clients left do not support its method", async () => {
    const { rig, first, second, turn } = await two({ policy: { unattendedTimeoutMs: 10_000 } });
    const asked = turn.request("_vendor/ask");
    asked.catch(() => {});
    await Promise.all([first, second].map((client) => client.until(() => client.requests.length === 1)));
    first.requests[0]?.fail(new RpcError(-32601, "no"));
    await settled();
    await second.connection.close();
    await rig.clock.advance(10_001);
    await expect(asked).rejects.toMatchObject({ code: -32603, message: "No client is attached" });
  });

  test("a policy of the host decides, and its errors reject the request", async () => {
    const { rig, first, second, turn } = await two({
      policy: {
        unattendedTimeoutMs: 1,
        unattended: ({ method, params, session }) => {
          if (method !== "session/request_permission") throw new Error("secret detail");
          return { result: { session: session.sessionId === params.sessionId } };
        },
      },
    });
    await Promise.all([first.connection.close(), second.connection.close()]);
    const permission = turn.permission();
    const other = turn.request("_x");
    other.catch(() => {});
    await rig.clock.advance(10);
    expect(await permission).toEqual({ session: true });
    await expect(other).rejects.toMatchObject({ code: -32603, message: "Internal error" });
  });
});

describe("files and terminals", () => {
  const capabilities = { fs: { readTextFile: true }, terminal: true };

  test("are the agent's own by default", async () => {
    const { rig, turn } = await two({}, capabilities);
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    expect(rig.agents[0]?.agent.received[0]?.params).toMatchObject({ clientCapabilities });
    for (const method of ["fs/read_text_file", "terminal/create"])
      await expect(turn.request(method)).rejects.toMatchObject({ code: -32601 });
  });

  test("go to one client if the host delegates them; requests fail with a typed error when the client leaves", async () => {
    const { first, second, turn } = await two({ policy: { delegate: { files: true, terminals: true } } }, capabilities);
    const file = turn.request("fs/read_text_file", { path: "/x" });
    const server = await Promise.race(
      [first, second].map((client) => client.until(() => client.requests.length === 1).then(() => client)),
    );
    await settled();
    expect(first.requests.length + second.requests.length).toBe(1);
    server.requests[0]?.respond({ content: "hello" });
    expect(await file).toEqual({ content: "hello" });
    const waiting = turn.request("terminal/wait_for_exit", { terminalId: "t" });
    waiting.catch(() => {});
    await server.until(() => server.requests.length === 2);
    await server.connection.close();
    await expect(waiting).rejects.toMatchObject({ data: { reason: "client_gone" } });
    await expect(turn.request("fs/write_text_file")).rejects.toMatchObject({ data: { reason: "client_gone" } });
  });

  test("fail when their client leaves, although another client has handled a request since", async () => {
    const rig = await startRig({ policy: { delegate: { files: true, terminals: true } } });
    const files = await rig.client(ann, { fs: { readTextFile: true } });
    const sessionId = await files.newSession();
    const terminals = await rig.client(ann, { terminal: true });
    await terminals.resume(sessionId);
    const { turn } = await rig.turn(terminals, sessionId);
    const file = turn.request("fs/read_text_file", { path: "/x" });
    file.catch(() => {});
    await files.until(() => files.requests.length === 1);
    turn.request("terminal/create").catch(() => {});
    await terminals.until(() => terminals.requests.length === 1);
    await files.connection.close();
    await expect(file).rejects.toMatchObject({ data: { reason: "client_gone" } });
  });

  test("gateway.terminal-owner: requests for a terminal go to the client that created it, and fail when it has left", async () => {
    const rig = await startRig({ policy: { delegate: { files: true, terminals: true } } });
    const first = await rig.client(ann, { terminal: true });
    const sessionId = await first.newSession();
    const second = await rig.client(ann, capabilities);
    await second.resume(sessionId);
    const { turn } = await rig.turn(first, sessionId);
    const created = turn.request("terminal/create", { command: "a" });
    await first.until(() => first.requests.length === 1);
    first.requests[0]?.respond({ terminalId: "t" });
    expect(await created).toEqual({ terminalId: "t" });
    const file = turn.request("fs/read_text_file", { path: "/x" });
    await second.until(() => second.requests.length === 1);
    second.requests[0]?.respond({ content: "" });
    await file; // the second client now handles new requests
    const output = turn.request("terminal/output", { terminalId: "t" });
    await first.until(() => first.requests.length === 2);
    first.requests[1]?.respond({ output: "a", truncated: false });
    expect(await output).toEqual({ output: "a", truncated: false });
    await first.connection.close();
    await expect(turn.request("terminal/kill", { terminalId: "t" })).rejects.toMatchObject({
      data: { reason: "client_gone" },
    });
    expect(second.requests).toHaveLength(1);
  });
});

describe("isolation", () => {
  const methods = [
    "session/load",
    "session/resume",
    "session/prompt",
    "session/close",
    "session/delete",
    "session/set_mode",
    "session/set_config_option",
    "session/set_model",
    "session/fork",
    "_vendor/x",
  ];

  test.each(methods)(
    "gateway.isolation: the response to %s is the same for a session of another principal and for an unknown session",
    async (method) => {
      const { rig, sessionId, turn } = await two();
      const madeUp = "0".repeat(32);
      for (const principal of [bob, { tenant: "other", user: "ann" }]) {
        const [one, other] = [await rig.client(principal), await rig.client(principal)];
        const params = { cwd: "/work", mcpServers: [], prompt: [], modeId: "m", _meta: { "acp-kit/cursor": "j0.0" } };
        const answers = await Promise.all(
          [
            [one, sessionId],
            [other, madeUp],
          ].map(([client, id]) =>
            (client as RawClient).request(method, { ...params, sessionId: id }).then(
              (result) => JSON.stringify({ result }),
              (error: RpcError) => JSON.stringify({ error }),
            ),
          ),
        );
        expect(answers[0]).toBe(answers[1]);
        expect(answers[0]).not.toContain(sessionId);
        one.connection.notify("session/cancel", { sessionId });
        one.connection.notify("_x", { sessionId });
        expect(await one.request("session/list")).toEqual({ sessions: [] });
      }
      await settled();
      expect(turn.isCancelled).toBe(false);
      turn.say("still there");
      turn.end();
    },
  );

  test.each(["__proto__", "constructor", "toString", "../../etc", "a\0b", "\ud800", "", "x".repeat(10_000)])(
    "the id %.20j gets the error of an unknown session",
    async (sessionId) => {
      const rig = await startRig();
      const client = await rig.client();
      const code = sessionId.length > 8_192 ? -32602 : -32002;
      for (const method of ["session/load", "session/prompt", "session/close"])
        await expect(client.request(method, { sessionId, cwd: "/", prompt: [] })).rejects.toMatchObject({ code });
    },
  );

  test("each principal has agents of its own", async () => {
    const rig = await startRig({ warm: 1, agentPer: "principal" });
    const [a, b] = [await rig.client(ann), await rig.client(bob)];
    await a.newSession();
    await a.newSession();
    await b.newSession();
    expect(rig.agents.map(({ request }) => request.principal.user)).toEqual(["ann", "bob"]);
  });
});
