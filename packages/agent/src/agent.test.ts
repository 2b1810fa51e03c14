import { extension, RpcError } from "@acp-kit/protocol";
import type { ClientCapabilities } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { connect, newSession, prompt, signal, withSession } from "../test/connect.js";
import type { AgentDefinition } from "./agent-definition.js";
import { diff } from "./content.js";
import type { SessionHandle } from "./session-handle.js";
import type { Turn } from "./turn.js";

describe("initialize", () => {
  test("INIT-05/06/17 capabilities follow from the handlers", async () => {
    const none = await connect();
    expect(none.initialized).toEqual({
      protocolVersion: 1,
      agentInfo: { name: "test", version: "1" },
      authMethods: [],
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: {},
        auth: {},
      },
    });
    const all = await connect({
      definition: {
        loadSession: () => {},
        resumeSession: () => {},
        closeSession: () => {},
        deleteSession: () => {},
        listSessions: () => ({ sessions: [] }),
        logout: () => {},
        promptContent: { image: true },
        mcpTransports: { http: true },
        additionalDirectories: true,
      },
    });
    expect(all.initialized.agentCapabilities).toEqual({
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: false },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    });
  });

  test("CAP-22 methods without a handler get the error -32601", async () => {
    const { peer } = await connect();
    for (const method of [
      "session/load",
      "session/list",
      "session/delete",
      "session/resume",
      "session/close",
      "logout",
      "authenticate",
    ]) {
      await expect(peer.connection.request(method, {})).rejects.toMatchObject({ code: -32601 });
    }
  });

  test("AUTH-03 terminal methods are listed only for clients that can run them", async () => {
    const authMethods = [
      { id: "a", name: "A" },
      { type: "terminal" as const, id: "t", name: "T" },
    ];
    const without = await connect({ definition: { authMethods } });
    expect(without.initialized.authMethods?.map(({ id }) => id)).toEqual(["a"]);
    const having = await connect({ definition: { authMethods }, capabilities: { auth: { terminal: true } } });
    expect(having.initialized.authMethods?.map(({ id }) => id)).toEqual(["a", "t"]);
  });

  test("AUTH-04/05 an unknown or a terminal method can't be authenticated with", async () => {
    const authenticate = vi.fn();
    const authMethods = [
      { id: "a", name: "A" },
      { type: "terminal" as const, id: "t", name: "T" },
    ];
    const { peer } = await connect({
      definition: { authMethods, authenticate },
      capabilities: { auth: { terminal: true } },
    });
    for (const methodId of ["nope", "t"]) {
      await expect(peer.request("authenticate", { methodId })).rejects.toMatchObject({ code: -32602 });
    }
    expect(authenticate).not.toHaveBeenCalled();
    expect(await peer.request("authenticate", { methodId: "a" })).toEqual({});
  });
});

describe("session parameters", () => {
  test.each([["./x"], [""], ["work"]])("SESS-07 cwd %j gets the error -32602", async (cwd) => {
    const { peer } = await connect();
    await expect(peer.request("session/new", { cwd, mcpServers: [] })).rejects.toMatchObject({ code: -32602 });
  });

  test("DIR-03 relative or empty additional directories get the error -32602", async () => {
    const { peer } = await connect({ definition: { additionalDirectories: true } });
    for (const directory of ["rel", ""]) {
      const params = { cwd: "/", mcpServers: [], additionalDirectories: [directory] };
      await expect(peer.connection.request("session/new", params)).rejects.toMatchObject({ code: -32602 });
    }
  });

  test("MCP-09 a transport that was not advertised gets the error -32602", async () => {
    const { peer } = await connect({ definition: { mcpTransports: { sse: true } } });
    const server = (type: string): object => ({ type, name: "m", url: "http://localhost", headers: [] });
    await expect(
      peer.connection.request("session/new", { cwd: "/", mcpServers: [server("http")] }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(
      peer.connection.request("session/new", { cwd: "/", mcpServers: [server("sse")] }),
    ).resolves.toBeDefined();
    const stdio = { name: "m", command: "/bin/m", args: [], env: [] };
    await expect(peer.connection.request("session/new", { cwd: "/", mcpServers: [stdio] })).resolves.toBeDefined();
  });

  test("SESS-31 a session that is not active here gets the error -32002 with its id", async () => {
    const { peer } = await connect({ definition: { closeSession: () => {}, setSessionMode: () => {} } });
    const attempts = [
      prompt(peer),
      peer.request("session/close", { sessionId: "s1" }),
      peer.request("session/set_mode", { sessionId: "s1", modeId: "m" }),
    ];
    for (const attempt of attempts)
      await expect(attempt).rejects.toMatchObject({ code: -32002, data: { sessionId: "s1" } });
  });

  test("PROMPT-16 blocks that were not advertised, or are unknown, get the error -32602", async () => {
    const { peer } = await withSession({ definition: { promptContent: { image: true } } });
    const send = (block: object): Promise<unknown> =>
      peer.connection.request("session/prompt", { sessionId: "s1", prompt: [block] });
    await expect(send({ type: "audio", data: "", mimeType: "audio/wav" })).rejects.toMatchObject({
      code: -32602,
      data: { type: "audio" },
    });
    await expect(send({ type: "video" })).rejects.toMatchObject({ code: -32602 });
    await expect(send({ type: "image", data: "", mimeType: "image/png" })).resolves.toEqual({ stopReason: "end_turn" });
    await expect(send({ type: "resource_link", uri: "file:///a", name: "a" })).resolves.toEqual({
      stopReason: "end_turn",
    });
  });
});

describe("order on the wire", () => {
  test("no update of a session is sent before the response that creates it", async () => {
    const { peer, sent } = await connect({
      definition: {
        newSession: (_params, { session }) => {
          session("s1").commands([]);
          session("s1").title("t");
          return { sessionId: "s1" };
        },
      },
    });
    await newSession(peer);
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(sent).toEqual(["response:2", "update:available_commands_update", "update:session_info_update"]);
  });

  test("SESS-15 a replay is sent before the response to load", async () => {
    const { peer, sent } = await connect({
      definition: {
        loadSession: (_params, { session }) => {
          session("s1").userMessage("hello");
          session("s1").message("hi");
        },
      },
    });
    await peer.request("session/load", { sessionId: "s1", cwd: "/", mcpServers: [] });
    expect(sent).toEqual(["update:user_message_chunk", "update:agent_message_chunk", "response:2"]);
  });

  test("a load that fails makes no session active", async () => {
    const { peer } = await connect({
      definition: {
        loadSession: () => {
          throw new RpcError(-32002, "gone");
        },
      },
    });
    await expect(peer.request("session/load", { sessionId: "s1", cwd: "/", mcpServers: [] })).rejects.toMatchObject({
      code: -32002,
    });
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32002 });
  });

  test.each([undefined, null])(
    "turn.one-stop-reason: a handler that returns %s ends its turn with end_turn",
    async (result) => {
      const { peer } = await withSession({ definition: { prompt: async () => result as undefined } });
      expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
    },
  );

  test("PROMPT-12 updates are sent before the response, though no code awaits them", async () => {
    const { peer, sent } = await withSession({
      definition: {
        prompt: async (turn) => {
          turn.thought("hm");
          turn.message("a");
          turn.toolCall({ title: "t" }).complete();
          return "end_turn";
        },
      },
    });
    await prompt(peer);
    expect(sent).toEqual([
      "update:agent_thought_chunk",
      "update:agent_message_chunk",
      "update:tool_call",
      "update:tool_call_update",
      "response:3",
    ]);
  });

  test("an update that comes after its turn is dropped and reported", async () => {
    const late = signal();
    let delivered: Promise<void> | undefined;
    const { peer, sent, diagnostics } = await withSession({
      definition: {
        prompt: async (turn) => {
          delivered = late.happened.then(() => void turn.message("too late"));
          return "end_turn";
        },
      },
    });
    await prompt(peer);
    late.happen();
    await delivered;
    expect(diagnostics).toMatchObject([{ code: "update_after_turn" }]);
    expect(sent).toEqual(["response:3"]);
  });

  test("a session can send updates outside turns", async () => {
    const { connection, updates } = await withSession();
    connection.session("s1").title("Later");
    await vi.waitFor(() => expect(updates).toHaveLength(1));
    expect(updates[0]?.update).toEqual({ sessionUpdate: "session_info_update", title: "Later" });
  });
});

describe("cancelling", () => {
  /** A turn that runs until it is aborted, then does what the test says. */
  const untilAborted = (then: (turn: Turn) => unknown = (turn) => Promise.reject(turn.signal.reason)) => {
    const started = signal();
    const handler = (turn: Turn): Promise<"end_turn"> =>
      new Promise((resolve, reject) => {
        started.happen();
        turn.signal.addEventListener("abort", () =>
          Promise.resolve(then(turn)).then(() => resolve("end_turn"), reject),
        );
      });
    return { started: started.happened, handler };
  };

  test.each([
    ["throws the abort", undefined],
    ["throws something else", () => Promise.reject(new Error("model client broke"))],
    ["returns end_turn", () => "end_turn"],
  ])("CANCEL-06/07 a handler that %s ends as cancelled", async (_name, then) => {
    const { started, handler } = untilAborted(then);
    const { peer } = await withSession({ definition: { prompt: handler } });
    const answer = prompt(peer);
    await started;
    peer.notify("session/cancel", { sessionId: "s1" });
    expect(await answer).toEqual({ stopReason: "cancelled" });
  });

  test("CANCEL-08 the last updates of a cancelled turn are sent before its response, open tool calls as failed", async () => {
    const { started, handler } = untilAborted((turn) => turn.message("stopping"));
    const { peer, sent } = await withSession({
      definition: {
        prompt: async (turn) => {
          turn.toolCall({ title: "running", status: "in_progress" });
          return handler(turn);
        },
      },
    });
    const answer = prompt(peer);
    await started;
    peer.notify("session/cancel", { sessionId: "s1" });
    await answer;
    expect(sent).toEqual(["update:tool_call", "update:agent_message_chunk", "update:tool_call_update", "response:3"]);
  });

  test("a turn whose handler ignores the signal ends as cancelled after cancelGraceMs", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const started = signal();
    const { peer, diagnostics } = await withSession({
      cancelGraceMs: 200,
      definition: {
        prompt: () => {
          started.happen();
          return new Promise(() => {});
        },
      },
    });
    const answer = prompt(peer);
    await started.happened;
    await peer.notify("session/cancel", { sessionId: "s1" });
    await vi.advanceTimersByTimeAsync(200);
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(diagnostics).toMatchObject([{ code: "cancel_ignored" }]);
  });

  test("a turn whose handler ignores the signal ends by itself if cancelGraceMs is Infinity", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [started, end] = [signal(), signal()];
    const { peer, diagnostics } = await withSession({
      cancelGraceMs: Number.POSITIVE_INFINITY,
      definition: {
        prompt: async () => {
          started.happen();
          await end.happened;
        },
      },
    });
    const answer = prompt(peer);
    await started.happened;
    await peer.notify("session/cancel", { sessionId: "s1" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(diagnostics).toEqual([]);
    end.happen();
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(diagnostics).toEqual([]);
  });

  test("CANCEL-11 cancelling an idle or unknown session does nothing, also to a later prompt", async () => {
    const { peer } = await withSession();
    peer.notify("session/cancel", { sessionId: "s1" });
    peer.notify("session/cancel", { sessionId: "nobody" });
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });

  test("CANCEL-02 a client that sends cancel as a request gets a response", async () => {
    const { started, handler } = untilAborted();
    const { peer } = await withSession({ definition: { prompt: handler } });
    const answer = prompt(peer);
    await started;
    expect(await peer.connection.request("session/cancel", { sessionId: "s1" })).toEqual({});
    expect(await answer).toEqual({ stopReason: "cancelled" });
  });

  test("strict.garbage: CANCEL-02 a cancel that is sent as a request has the params of the notification", async () => {
    const elsewhere: unknown[] = [];
    const { peer } = await withSession({ definition: { cancelElsewhere: (params) => elsewhere.push(params) } });
    for (const params of [{ sessionId: { a: 1 } }, { sessionId: 5 }, {}, [], undefined]) {
      await expect(peer.connection.request("session/cancel", params)).rejects.toMatchObject({ code: -32602 });
    }
    expect(elsewhere).toEqual([]);
    await peer.connection.request("session/cancel", { sessionId: "elsewhere" });
    expect(elsewhere).toEqual([{ sessionId: "elsewhere" }]);
  });

  test("CANCEL-24 a prompt that is cancelled as a request ends as cancelled", async () => {
    const { started, handler } = untilAborted();
    const { peer } = await withSession({ definition: { prompt: handler } });
    const controller = new AbortController();
    const answer = peer.request("session/prompt", { sessionId: "s1", prompt: [] }, { signal: controller.signal });
    await started;
    controller.abort();
    expect(await answer).toEqual({ stopReason: "cancelled" });
  });

  test("SESS-27 close cancels the running turn and responds to it first", async () => {
    const { started, handler } = untilAborted();
    const closed = vi.fn();
    const { peer, sent } = await withSession({ definition: { prompt: handler, closeSession: closed } });
    const answer = prompt(peer);
    await started;
    expect(await peer.request("session/close", { sessionId: "s1" })).toEqual({});
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(sent).toEqual(["response:3", "response:4"]);
    expect(closed).toHaveBeenCalledOnce();
  });

  test("the end of the client's input cancels the turn, and its response is still sent", async () => {
    const { started, handler } = untilAborted();
    const { peer, connection } = await withSession({ definition: { prompt: handler } });
    void prompt(peer);
    await started;
    await peer.connection.close();
    expect(await connection.closed).toMatchObject({ code: "peer_closed" });
  });

  test("an abort without a cancel is a cancelled turn, other errors are errors", async () => {
    let thrown: unknown = new DOMException("aborted", "AbortError");
    const { peer } = await withSession({ definition: { prompt: () => Promise.reject(thrown) } });
    expect(await prompt(peer)).toEqual({ stopReason: "cancelled" });
    thrown = new Error("the model is down at 10.0.0.1");
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32603, message: "Internal error", data: undefined });
    thrown = new RpcError(-32000, "Log in first");
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32000, message: "Log in first" });
  });
});

describe("concurrent prompts", () => {
  /** Turns that end when the test says so, and notify it when they start. */
  const manual = () => {
    const started: string[] = [];
    const end: (() => void)[] = [];
    const handler = (turn: Turn): Promise<"end_turn"> => {
      started.push(turn.text);
      return new Promise((resolve) => end.push(() => resolve("end_turn")));
    };
    return { started, end, handler };
  };

  test("queue, in order, one at a time", async () => {
    const { started, end, handler } = manual();
    const { peer } = await withSession({ definition: { prompt: handler } });
    const answers = ["a", "b", "c"].map((text) => prompt(peer, text));
    for (let n = 0; n < 3; n += 1) {
      await vi.waitFor(() => expect(started).toHaveLength(n + 1));
      end[n]?.();
      expect(await answers[n]).toEqual({ stopReason: "end_turn" });
    }
    expect(started).toEqual(["a", "b", "c"]);
  });

  test("cancel ends the running one and the queued ones", async () => {
    const { started, handler } = manual();
    const { peer } = await withSession({ definition: { prompt: handler }, cancelGraceMs: 0 });
    const answers = [prompt(peer, "a"), prompt(peer, "b")];
    await vi.waitFor(() => expect(started).toEqual(["a"]));
    peer.notify("session/cancel", { sessionId: "s1" });
    expect(await Promise.all(answers)).toEqual([{ stopReason: "cancelled" }, { stopReason: "cancelled" }]);
    expect(started).toEqual(["a"]);
  });

  test("reject responds with -32600 and leaves the running turn alone", async () => {
    const { started, end, handler } = manual();
    const { peer } = await withSession({ definition: { prompt: handler }, concurrentPrompts: "reject" });
    const first = prompt(peer, "a");
    await vi.waitFor(() => expect(started).toEqual(["a"]));
    await expect(prompt(peer, "b")).rejects.toMatchObject({ code: -32600 });
    end[0]?.();
    expect(await first).toEqual({ stopReason: "end_turn" });
  });

  test("merge passes the prompt to the running turn and responds to both together", async () => {
    const steered = signal();
    const { peer } = await withSession({
      concurrentPrompts: "merge",
      definition: {
        prompt: async (turn) => {
          turn.onPrompt(() => steered.happen());
          turn.message("ready");
          await steered.happened;
          return "max_tokens";
        },
      },
    });
    const answers = [prompt(peer, "a"), prompt(peer, "b")];
    expect(await Promise.all(answers)).toEqual([{ stopReason: "max_tokens" }, { stopReason: "max_tokens" }]);
  });

  test("SESS-04 other sessions are not affected", async () => {
    const { started, end, handler } = manual();
    let ids = 0;
    const { peer } = await connect({ definition: { prompt: handler, newSession: () => ({ sessionId: `s${++ids}` }) } });
    await newSession(peer);
    await newSession(peer);
    void prompt(peer, "one");
    const other = peer.request("session/prompt", { sessionId: "s2", prompt: [{ type: "text", text: "two" }] });
    await vi.waitFor(() => expect(started).toEqual(["one", "two"]));
    end[1]?.();
    expect(await other).toEqual({ stopReason: "end_turn" });
  });
});

describe("the client's methods", () => {
  const files: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

  test("CAP-13/15 methods that the client did not advertise reject and are not sent", async () => {
    const { peer, sent } = await withSession({
      definition: {
        prompt: async ({ client }) => {
          const attempts = [client.readTextFile({ path: "/a" }), client.createTerminal({ command: "ls" })];
          for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ name: "CapabilityError" });
        },
      },
    });
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
    expect(sent).toEqual(["response:3"]);
  });

  test("deleting and renaming, which the protocol doesn't have, are gated like the rest and carry the session", async () => {
    const seen: unknown[] = [];
    const definition: Partial<AgentDefinition> = {
      prompt: async ({ client }) => {
        await client.deleteFile({ path: "/a" });
        await client.renameFile({ path: "/b", targetPath: "/c" });
      },
    };
    const note = (params: unknown): null => {
      seen.push(params);
      return null;
    };
    const without = await withSession({ definition });
    await expect(prompt(without.peer)).rejects.toMatchObject({ code: -32603 });
    expect(
      without.diagnostics.map(({ cause }) => (cause as { capability?: unknown } | undefined)?.capability),
    ).toContain("clientCapabilities.fs.deleteFile");
    const having = await withSession({
      capabilities: { fs: { deleteFile: true, renameFile: true } } as ClientCapabilities,
      client: (peer) => {
        peer.connection.onRequest("fs/delete_file", note);
        peer.connection.onRequest("fs/rename_file", note);
      },
      definition,
    });
    await prompt(having.peer);
    expect(seen).toEqual([
      { sessionId: "s1", path: "/a" },
      { sessionId: "s1", path: "/b", targetPath: "/c" },
    ]);
  });

  test("files and terminals carry the session", async () => {
    const seen: unknown[] = [];
    const { peer } = await withSession({
      capabilities: files,
      client: (peer) => {
        peer.handle("fs/read_text_file", (params) => {
          seen.push(params);
          return { content: "text" };
        });
        peer.handle("terminal/create", () => ({ terminalId: "t1" }));
        peer.handle("terminal/wait_for_exit", () => ({ exitCode: 3 }));
        peer.handle("terminal/release", (params) => void seen.push(params) as never);
      },
      definition: {
        prompt: async (turn) => {
          await turn.client.readTextFile({ path: "/a", line: 2 });
          await using terminal = await turn.toolCall({ title: "run" }).terminal({ command: "ls" });
          expect((await terminal.waitForExit()).exitCode).toBe(3);
        },
      },
    });
    await prompt(peer);
    expect(seen).toEqual([
      { sessionId: "s1", path: "/a", line: 2 },
      { sessionId: "s1", terminalId: "t1" },
    ]);
  });

  test("TERM-13 a terminal is released once, also when the turn is cancelled while it waits", async () => {
    const released = vi.fn();
    const waiting = signal();
    const { peer } = await withSession({
      capabilities: files,
      client: (peer) => {
        peer.handle("terminal/create", () => ({ terminalId: "t1" }));
        peer.handle("terminal/wait_for_exit", (_params, { signal }) => {
          waiting.happen();
          return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        });
        peer.handle("terminal/release", () => released());
      },
      definition: {
        prompt: async ({ client }) => {
          await using terminal = await client.createTerminal({ command: "sleep" });
          await terminal.waitForExit();
        },
      },
    });
    const answer = prompt(peer);
    await waiting.happened;
    peer.notify("session/cancel", { sessionId: "s1" });
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(released).toHaveBeenCalledOnce();
  });

  test("ELICIT-01 each mode has its own gate", async () => {
    const { peer } = await withSession({
      capabilities: { elicitation: { form: {} } },
      client: (peer) => peer.handle("elicitation/create", () => ({ action: "accept", content: { name: "x" } })),
      definition: {
        prompt: async ({ client }) => {
          const answer = await client.elicitForm({ message: "?", requestedSchema: { type: "object", properties: {} } });
          expect(answer).toEqual({ action: "accept", content: { name: "x" } });
          const url = client.elicitUrl({ message: "?", url: "https://example.com", elicitationId: "e" });
          await expect(url).rejects.toMatchObject({ capability: "clientCapabilities.elicitation.url" });
        },
      },
    });
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });

  test("CAP-18 boolean options are left out for a client that can't show them", async () => {
    const configOptions = [
      { type: "boolean" as const, id: "b", name: "B", currentValue: true },
      { type: "select" as const, id: "s", name: "S", currentValue: "x", options: [{ value: "x", name: "X" }] },
    ];
    const definition: Partial<AgentDefinition> = {
      newSession: () => ({ sessionId: "s1", configOptions }),
      setSessionConfigOption: () => ({ configOptions }),
      prompt: async (turn: SessionHandle) => void turn.configOptions(configOptions),
    };
    const ids = (value: unknown): string[] =>
      (value as { configOptions: { id: string }[] }).configOptions.map(({ id }) => id);
    const set = { sessionId: "s1", configId: "s", value: "x" };
    const without = await connect({ definition });
    expect(ids(await newSession(without.peer))).toEqual(["s"]);
    expect(ids(await without.peer.request("session/set_config_option", set))).toEqual(["s"]);
    await prompt(without.peer);
    expect(ids(without.updates[0]?.update)).toEqual(["s"]);
    const having = await connect({ definition, capabilities: { session: { configOptions: { boolean: {} } } } });
    expect(ids(await newSession(having.peer))).toEqual(["b", "s"]);
  });

  test("CAP-20/21 notices and compactions need a client that shows them", async () => {
    const attempt = (turn: Turn): void => {
      turn.notice({ severity: "info", title: "t" });
      turn.compaction({ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" });
    };
    const without = await withSession({
      definition: {
        prompt: async (turn) => {
          expect(() => attempt(turn)).toThrow("notices");
        },
      },
    });
    expect(await prompt(without.peer)).toEqual({ stopReason: "end_turn" });
    const having = await withSession({
      definition: { prompt: async (turn) => attempt(turn) },
      capabilities: { session: { notices: {}, compaction: {} } },
    });
    await prompt(having.peer);
    expect(having.sent).toEqual(["update:notice", "update:compaction_update", "response:3"]);
  });

  test("extension methods go both ways", async () => {
    const any = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } };
    const { peer } = await withSession({
      client: (peer) => peer.connection.onRequest("_test/client", () => "from the client"),
      definition: {
        extensions: { "_test/agent": extension(any, (params) => params) },
        prompt: async ({ client }) => {
          expect(await client.extensionRequest("_test/client")).toBe("from the client");
        },
      },
    });
    expect(await peer.extensionRequest("_test/agent", { a: 1 })).toEqual({ a: 1 });
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });
});

describe("tool calls", () => {
  test("send their changes", async () => {
    const { peer, updates } = await withSession({
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ toolCallId: "c1", kind: "edit", title: "Edit" });
          await call.start();
          await call.complete({ content: [diff({ path: "/a", newText: "x" })] });
          expect(call).toMatchObject({ status: "completed", ended: true });
          turn.toolCall({ toolCallId: "c2", title: "Fails" }).fail("because");
        },
      },
    });
    await prompt(peer);
    expect(updates.map(({ update }) => update)).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "c1", kind: "edit", title: "Edit" },
      { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "in_progress" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c1",
        status: "completed",
        content: [{ type: "diff", path: "/a", newText: "x" }],
      },
      { sessionUpdate: "tool_call", toolCallId: "c2", title: "Fails" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c2",
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: "because" } }],
      },
    ]);
  });

  test("a call that the turn leaves open is reported", async () => {
    const { peer, diagnostics } = await withSession({
      definition: { prompt: async (turn) => void turn.toolCall({ title: "t" }) },
    });
    await prompt(peer);
    expect(diagnostics).toMatchObject([{ code: "tool_call_left_open" }]);
  });

  test("PERM-09 a permission request has the call's current title, kind and locations", async () => {
    const requested: unknown[] = [];
    const { peer } = await withSession({
      client: (peer) =>
        peer.handle("session/request_permission", ({ toolCall }) => {
          requested.push(toolCall);
          return { outcome: { outcome: "cancelled" } };
        }),
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ toolCallId: "c", title: "Edit", kind: "edit", locations: [{ path: "/a" }] });
          call.update({ title: "Edit a.ts" });
          await call.requestPermission();
          call.fail();
        },
      },
    });
    await prompt(peer);
    expect(requested).toEqual([{ toolCallId: "c", title: "Edit a.ts", kind: "edit", locations: [{ path: "/a" }] }]);
  });

  test("handlers have the client's info and capabilities, and a callback after the response", async () => {
    const { peer, sent } = await connect({
      capabilities: { terminal: true },
      definition: {
        loadSession: (_params, { session, afterResponse }) => {
          const handle = session("s1");
          expect(handle.client.offers("clientCapabilities.terminal")).toBe(true);
          expect(() => handle.client.offers("terminal" as never)).toThrow(TypeError);
          expect(handle.client.info).toEqual({ name: "client", version: "1" });
          afterResponse(() => void handle.commands([]));
        },
      },
    });
    await peer.request("session/load", { sessionId: "s1", cwd: "/", mcpServers: [] });
    await vi.waitFor(() => expect(sent).toEqual(["response:2", "update:available_commands_update"]));
  });

  test.each([
    [
      { outcome: "selected", optionId: "allow_once" },
      { by: "user", allowed: true, option: { kind: "allow_once" } },
    ],
    [
      { outcome: "selected", optionId: "reject_once" },
      { by: "user", allowed: false, option: { kind: "reject_once" } },
    ],
    [
      { outcome: "selected", optionId: "made-up" },
      { by: "none", allowed: false, option: undefined },
    ],
    [{ outcome: "cancelled" }, { by: "none", allowed: false, option: undefined }],
    [{ outcome: "later" }, { by: "none", allowed: false, option: undefined }],
  ])("PERM-07 %j is %j", async (outcome, decision) => {
    const { peer } = await withSession({
      client: (peer) => peer.connection.onRequest("session/request_permission", () => ({ outcome })),
      definition: {
        prompt: async (turn) => {
          expect(await turn.toolCall({ title: "t" }).requestPermission()).toMatchObject(decision);
        },
      },
    });
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });

  test("CANCEL-15 a permission request with the error -32800 is cancelled, not failed", async () => {
    const { peer } = await withSession({
      client: (peer) =>
        peer.connection.onRequest("session/request_permission", () =>
          Promise.reject(new RpcError(-32800, "cancelled")),
        ),
      definition: {
        prompt: async (turn) => {
          expect(await turn.toolCall({ title: "t" }).requestPermission()).toMatchObject({ allowed: false });
        },
      },
    });
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });
});
