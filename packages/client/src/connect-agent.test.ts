import { type Diagnostic, linkedTransports, Peer, RpcError, type V1AgentCalls, v1Agent } from "@acp-kit/protocol";
import type { InitializeResponse, SessionUpdate } from "@acp-kit/types";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentConnection } from "./agent-connection.js";
import { connectAgent } from "./connect-agent.js";
import type { ConnectAgentOptions } from "./connect-options.js";
import type { Session } from "./session/session.js";

type AgentPeer = Peer<V1AgentCalls>;

interface Setup extends ConnectAgentOptions {
  /** Registers the handlers of the agent at the other end. */
  readonly agent?: (peer: AgentPeer) => void;
  readonly answer?: Partial<InitializeResponse>;
}

interface Connected {
  readonly connection: AgentConnection;
  readonly peer: AgentPeer;
  /** The messages that the client sent: the method of each, or `response`. */
  readonly sent: string[];
  readonly params: Record<string, unknown>;
  readonly diagnostics: Diagnostic[];
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((end) => end.close()));
});

/** A client that is connected to a bare peer instead of an agent, so that the test controls every message. */
async function connect({ agent, answer, ...options }: Setup = {}): Promise<Connected> {
  const [agentSide, clientSide] = linkedTransports();
  const sent: string[] = [];
  const params: Record<string, unknown> = {};
  const peer: AgentPeer = new Peer(agentSide, v1Agent, {
    tap({ direction, message }) {
      if (direction !== "received") return;
      const { method, params: value } = message as { method?: string; params?: unknown };
      sent.push(method ?? "response");
      if (method !== undefined) params[method] = value;
    },
  });
  open.push(peer.connection);
  peer.handle("initialize", ({ clientCapabilities }) => {
    peer.setAgreement({ protocolVersion: 1, capabilities: clientCapabilities });
    return { protocolVersion: 1, ...answer };
  });
  peer.handle("session/new", () => ({ sessionId: "s1" }));
  peer.connection.onRequest("fence", () => null);
  agent?.(peer);
  peer.connection.listen();
  const diagnostics: Diagnostic[] = [];
  const connection = await connectAgent(clientSide, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  open.push(connection);
  return { connection, peer, sent, params, diagnostics };
}

async function openSession(setup: Setup = {}): Promise<Connected & { readonly session: Session }> {
  const connected = await connect(setup);
  return { ...connected, session: await connected.connection.newSession({ cwd: "/work" }) };
}

const say = (peer: AgentPeer, text: string, sessionId = "s1"): void => {
  void peer.notify("session/update", { sessionId, update: chunk(text) });
};

const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
const textOf = (update: unknown): string => (update as { content: { text: string } }).content.text;
const ask = {
  sessionId: "s1",
  toolCall: { toolCallId: "t" },
  options: [{ optionId: "y", name: "Yes", kind: "allow_once" as const }],
};

describe("initialize", () => {
  test("INIT-01/02/03/04 is the first message, with version, capabilities and info", async () => {
    const { sent, params } = await connect({
      info: { name: "test", version: "1" },
      files: { readTextFile: () => ({ content: "" }) },
    });
    expect(sent).toEqual(["initialize"]);
    expect(params.initialize).toEqual({
      protocolVersion: 1,
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: false },
        terminal: false,
        auth: { terminal: false },
        session: {},
      },
    });
  });

  test("has the agent's info and capabilities", async () => {
    const { connection } = await connect({
      answer: {
        agentInfo: { name: "a", version: "2" },
        agentCapabilities: { loadSession: true },
        authMethods: [{ id: "x", name: "X" }],
      },
    });
    expect(connection).toMatchObject({
      state: "initialized",
      protocolVersion: 1,
      info: { name: "a", version: "2" },
      authMethods: [{ id: "x", name: "X" }],
    });
    expect(connection.offers("agentCapabilities.loadSession")).toBe(true);
    expect(connection.offers("agentCapabilities.sessionCapabilities.list")).toBe(false);
    expect(() => connection.offers("loadSession" as never)).toThrow('did you mean "agentCapabilities.loadSession"?');
  });

  test("INIT-09 an unknown version closes the connection with VersionError", async () => {
    const ended = vi.fn();
    const attempt = connect({
      answer: { protocolVersion: 99 },
      agent: (peer) => void peer.connection.closed.then(ended),
    });
    await expect(attempt).rejects.toMatchObject({ name: "VersionError", offered: 99 });
    await vi.waitFor(() => expect(ended).toHaveBeenCalled());
  });

  test("a signal that aborts while connecting rejects with its reason", async () => {
    const controller = new AbortController();
    const [, silent] = linkedTransports();
    const attempt = connectAgent(silent, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(attempt).rejects.toThrow("enough");
  });

  test.each(["while", "before"])(
    "a signal that aborts %s a transport is awaited rejects with its reason, and a late transport is closed",
    async (when) => {
      const controller = new AbortController();
      const [agentSide, clientSide] = linkedTransports();
      const closed = vi.fn();
      agentSide.start({ message() {}, malformed() {}, failed() {}, ended: closed });
      let arrive = (): void => {};
      const late = new Promise<typeof clientSide>((resolve) => {
        arrive = () => resolve(clientSide);
      });
      if (when === "before") controller.abort(new Error("enough"));
      const attempts = [late, { open: () => late, close: async () => {} }].map((agent) =>
        connectAgent(agent, { signal: controller.signal }),
      );
      controller.abort(new Error("enough"));
      for (const attempt of attempts) await expect(attempt).rejects.toThrow("enough");
      expect(closed).not.toHaveBeenCalled();
      arrive();
      await vi.waitFor(() => expect(closed).toHaveBeenCalled());
    },
  );

  test("rejects after the deadline if the agent never responds", async () => {
    vi.useFakeTimers();
    const [, silent] = linkedTransports();
    const attempt = expect(connectAgent(silent, { limits: { initializeTimeoutMs: 100 } })).rejects.toMatchObject({
      name: "ConnectionError",
      code: "timeout",
    });
    await vi.advanceTimersByTimeAsync(100);
    await attempt;
  });
});

describe("sessions", () => {
  test("SESS-02/DIR-14 new sends cwd and mcpServers always, and further roots once", async () => {
    const { connection, params } = await connect({
      answer: { agentCapabilities: { sessionCapabilities: { additionalDirectories: {} } } },
    });
    await connection.newSession({ cwd: "/work", additionalDirectories: ["/b", "/work", "/b"] });
    expect(params["session/new"]).toEqual({ cwd: "/work", mcpServers: [], additionalDirectories: ["/b"] });
  });

  test.each([["work"], ["./work"], [""]])("SESS-07 %j is no absolute path", async (cwd) => {
    const { connection, sent } = await connect();
    await expect(connection.newSession({ cwd })).rejects.toThrow(TypeError);
    expect(sent).toEqual(["initialize"]);
  });

  test.each([["C:\\work"], ["c:/work"], ["\\\\server\\share"]])("%s is one, on Windows", async (cwd) => {
    const { connection } = await connect();
    await expect(connection.newSession({ cwd })).resolves.toMatchObject({ sessionId: "s1" });
  });

  test("CAP-07 further roots that the agent doesn't support are an error", async () => {
    const { connection, sent } = await connect();
    await expect(connection.newSession({ cwd: "/", additionalDirectories: ["/b"] })).rejects.toMatchObject({
      name: "CapabilityError",
    });
    expect(sent).toEqual(["initialize"]);
  });

  test("CAP-08/09/MCP-03 MCP servers that the agent has no transport for are left out, each with a diagnostic", async () => {
    const { connection, params, diagnostics } = await connect({
      answer: { agentCapabilities: { mcpCapabilities: { http: true } } },
    });
    const stdio = { name: "local", command: "/bin/mcp", args: [], env: [] };
    const http = { type: "http" as const, name: "web", url: "http://localhost", headers: [] };
    const sse = { type: "sse" as const, name: "old", url: "http://localhost", headers: [] };
    await connection.newSession({ cwd: "/", mcpServers: [sse, stdio, http] });
    expect(params["session/new"]).toMatchObject({ mcpServers: [stdio, http] });
    expect(diagnostics).toMatchObject([
      { code: "mcp_server_left_out", data: { name: "old", capability: "agentCapabilities.mcpCapabilities.sse" } },
    ]);
  });

  test("UPD-06 updates before the response are buffered for the session", async () => {
    const { session } = await openSession({
      agent: (peer) => {
        peer.handle("session/new", () => {
          say(peer, "early");
          return { sessionId: "s1" };
        });
      },
    });
    const delivered: string[] = [];
    session.onUpdate((update) => void delivered.push(textOf(update)));
    await vi.waitFor(() => expect(delivered).toEqual(["early"]));
  });

  test("SESS-32 updates for an unknown session are dropped and reported", async () => {
    const { peer, diagnostics } = await openSession();
    say(peer, "lost", "s2");
    await vi.waitFor(() => expect(diagnostics).toMatchObject([{ code: "unknown_session" }]));
  });

  test("load delivers the history before it resolves, marked as replayed", async () => {
    const { connection, peer } = await connect({
      answer: { agentCapabilities: { loadSession: true } },
      agent: (peer) => {
        peer.handle("session/load", () => {
          say(peer, "one", "old");
          say(peer, "two", "old");
          return {};
        });
      },
    });
    const delivered: [string, boolean][] = [];
    const session = await connection.loadSession(
      { sessionId: "old", cwd: "/" },
      { onUpdate: async (update, { replayed }) => void delivered.push([textOf(update), replayed]) },
    );
    expect(delivered).toEqual([
      ["one", true],
      ["two", true],
    ]);
    expect(session.origin).toBe("loaded");
    say(peer, "live", "old");
    await vi.waitFor(() => expect(delivered.at(-1)).toEqual(["live", false]));
  });

  test("a load that fails leaves no session behind", async () => {
    const { connection } = await connect({
      answer: { agentCapabilities: { loadSession: true } },
      agent: (peer) => peer.connection.onRequest("session/load", () => Promise.reject(new Error("no"))),
    });
    await expect(connection.loadSession({ sessionId: "old", cwd: "/" })).rejects.toMatchObject({ code: -32603 });
    expect(connection.sessions).toEqual([]);
  });

  test.each([
    [{ loadSession: true, sessionCapabilities: { resume: {} } }, "resumed"],
    [{ loadSession: true }, "loaded"],
    [{}, "new"],
  ])("openSession picks what %j allows", async (agentCapabilities, origin) => {
    const { connection } = await connect({
      answer: { agentCapabilities },
      agent: (peer) => {
        peer.handle("session/load", () => ({}));
        peer.handle("session/resume", () => ({}));
      },
    });
    expect((await connection.openSession({ cwd: "/", sessionId: "old" })).origin).toBe(origin);
  });

  test("LIST-07/08 pages are read until there is no cursor, which is sent back unchanged", async () => {
    const cursors: unknown[] = [];
    const { connection } = await connect({
      answer: { agentCapabilities: { sessionCapabilities: { list: {} } } },
      agent: (peer) => {
        peer.handle("session/list", ({ cursor }) => {
          cursors.push(cursor);
          const page = cursors.length;
          return { sessions: [{ sessionId: `s${page}`, cwd: "/" }], nextCursor: page < 3 ? ` ${page}/ü"` : null };
        });
      },
    });
    const ids: string[] = [];
    for await (const { sessionId } of connection.listSessions()) ids.push(sessionId);
    expect(ids).toEqual(["s1", "s2", "s3"]);
    expect(cursors).toEqual([undefined, ' 1/ü"', ' 2/ü"']);
  });

  test.each([
    ["its own cursor", () => "again"],
    ["the cursor of an earlier page", (cursor?: string | null) => (cursor === "a" ? "b" : "a")],
  ])("LIST-07 a page with %s ends the iteration, with an error that names the method", async (_, nextOf) => {
    const { connection } = await connect({
      answer: { agentCapabilities: { sessionCapabilities: { list: {} } } },
      agent: (peer) => peer.handle("session/list", ({ cursor }) => ({ sessions: [], nextCursor: nextOf(cursor) })),
    });
    const reading = connection.listSessions().next();
    await expect(reading).rejects.toMatchObject({ code: "invalid_response", method: "session/list" });
  });

  test("closing and deleting a session that does not exist succeeds", async () => {
    const gone = (): never => {
      throw new RpcError(-32002, "Session not found");
    };
    const { connection, session } = await openSession({
      answer: { agentCapabilities: { sessionCapabilities: { close: {}, delete: {} } } },
      agent: (peer) => {
        peer.connection.onRequest("session/close", gone);
        peer.connection.onRequest("session/delete", gone);
      },
    });
    await expect(session.close()).resolves.toBeUndefined();
    await expect(connection.deleteSession("s1")).resolves.toBeUndefined();
    expect(session.closed).toBe(true);
    expect(connection.session("s1")).toBeUndefined();
  });

  test("a closed session receives no more updates, also if it received the last one; opened again it is another object", async () => {
    const delivered: string[] = [];
    const { session, peer, connection, diagnostics } = await openSession({
      onUpdate: (update, context) => void delivered.push(`${textOf(update)} ${context.session === session}`),
    });
    say(peer, "a");
    await connection.peer.connection.request("fence");
    await session.close();
    expect(session.roots).toEqual([]);
    say(peer, "b");
    await peer.connection.request("session/request_permission", ask);
    expect(diagnostics.map(({ code }) => code)).toEqual(["unknown_session", "no_permission_rule"]);
    await connection.newSession({ cwd: "/work" });
    say(peer, "c");
    await peer.connection.request("session/request_permission", ask);
    expect(delivered).toEqual(["a true", "c false"]);
  });

  test("CAP-05 session/close is not sent to an agent that can't close sessions", async () => {
    const { session, sent } = await openSession();
    await session.close();
    expect(sent).not.toContain("session/close");
  });
});

describe("turns", () => {
  test("updates arrive in order, then the loop ends, then the result resolves", async () => {
    const { session } = await openSession({
      agent: (peer) =>
        peer.handle("session/prompt", () => {
          say(peer, "a");
          say(peer, "b");
          return { stopReason: "end_turn" };
        }),
    });
    const turn = session.prompt("go");
    expect(session.turn).toBe(turn);
    const texts: string[] = [];
    for await (const update of turn) texts.push(textOf(update));
    expect(texts).toEqual(["a", "b"]);
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
    expect(session.turn).toBeUndefined();
  });

  test("a second prompt waits for the first, by default", async () => {
    const running: string[] = [];
    const finish: (() => void)[] = [];
    const { session } = await openSession({
      agent: (peer) =>
        peer.handle("session/prompt", ({ prompt }) => {
          running.push((prompt[0] as { text: string }).text);
          return new Promise((resolve) => finish.push(() => resolve({ stopReason: "end_turn" })));
        }),
    });
    const first = session.prompt("first");
    const second = session.prompt("second");
    await vi.waitFor(() => expect(finish).toHaveLength(1));
    expect(running).toEqual(["first"]);
    finish[0]?.();
    await first.result;
    await vi.waitFor(() => expect(running).toEqual(["first", "second"]));
    finish[1]?.();
    expect(await second.result).toEqual({ stopReason: "end_turn" });
  });

  test("a second prompt is refused with concurrentPrompts: reject", async () => {
    const { session } = await openSession({
      concurrentPrompts: "reject",
      agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})),
    });
    session.prompt("first");
    await expect(session.prompt("second").result).rejects.toThrow(TypeError);
  });

  test("CAP-10 a block that the agent doesn't accept rejects the result and is not sent", async () => {
    const { session, sent } = await openSession();
    const turn = session.prompt([{ type: "image", data: "", mimeType: "image/png" }]);
    await expect(turn.result).rejects.toMatchObject({
      name: "CapabilityError",
      capability: "agentCapabilities.promptCapabilities.image",
    });
    expect(sent).not.toContain("session/prompt");
  });

  test("CANCEL-04 cancelling settles every open permission request, and those that arrive before the turn ends", async () => {
    const outcomes: unknown[] = [];
    const { session, sent } = await openSession({
      permissions: () => new Promise(() => {}),
      agent: (peer) => {
        let cancelled = (): void => {};
        const cancel = new Promise<void>((resolve) => {
          cancelled = resolve;
        });
        peer.handleNotification("session/cancel", () => cancelled());
        peer.handle("session/prompt", async () => {
          const open = [
            peer.request("session/request_permission", ask),
            peer.request("session/request_permission", ask),
          ];
          say(peer, "asked");
          outcomes.push(...(await Promise.all(open)));
          await cancel;
          outcomes.push(await peer.request("session/request_permission", ask));
          return { stopReason: "cancelled" };
        });
      },
    });
    const turn = session.prompt("go");
    for await (const _update of turn) turn.cancel();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    expect(outcomes).toEqual(Array(3).fill({ outcome: { outcome: "cancelled" } }));
    expect(sent.filter((method) => method === "session/cancel")).toHaveLength(1);
  });

  test("cancelling a queued prompt never sends it", async () => {
    const { session, sent } = await openSession({
      agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})),
    });
    session.prompt("first");
    const second = session.prompt("second");
    second.cancel();
    expect(await second.result).toEqual({ stopReason: "cancelled" });
    await vi.waitFor(() => expect(sent.filter((method) => method === "session/prompt")).toHaveLength(1));
    expect(sent).not.toContain("session/cancel");
  });

  test("a cancelled turn without a response rejects after cancelTimeoutMs, and the session continues", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let prompts = 0;
    const { session } = await openSession({
      agent: (peer) =>
        peer.handle("session/prompt", () => {
          prompts += 1;
          return prompts === 1 ? new Promise(() => {}) : { stopReason: "end_turn" };
        }),
    });
    const turn = session.prompt("go", { cancelTimeoutMs: 1_000 });
    const settled = expect(turn.result).rejects.toMatchObject({ name: "ConnectionError", code: "timeout" });
    turn.cancel();
    await vi.advanceTimersByTimeAsync(1_000);
    await settled;
    expect(await session.prompt("again").result).toEqual({ stopReason: "end_turn" });
  });

  test("a turn in which the agent sends nothing for idleTimeoutMs is cancelled and rejects", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { session, sent } = await openSession({
      agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})),
    });
    const settled = expect(session.prompt("go", { idleTimeoutMs: 500 }).result).rejects.toMatchObject({
      code: "timeout",
    });
    await vi.advanceTimersByTimeAsync(500);
    await settled;
    await vi.waitFor(() => expect(sent).toContain("session/cancel"));
  });

  test("the time limits of a turn may be Infinity", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let end = (): void => {};
    const { session } = await openSession({
      agent: (peer) =>
        peer.handle(
          "session/prompt",
          () =>
            new Promise((resolve) => {
              end = () => resolve({ stopReason: "cancelled" });
            }),
        ),
    });
    const limit = Number.POSITIVE_INFINITY;
    const turn = session.prompt("go", { idleTimeoutMs: limit, cancelTimeoutMs: limit });
    await vi.advanceTimersByTimeAsync(60_000);
    turn.cancel();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(turn.state).toBe("running");
    end();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
  });

  test("time in which the agent waits for a response is not idle", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let decide = (): void => {};
    const { session } = await openSession({
      permissions: () =>
        new Promise((resolve) => {
          decide = () => resolve("allow_once");
        }),
      agent: (peer) =>
        peer.handle("session/prompt", async () => {
          await peer.request("session/request_permission", ask);
          return { stopReason: "end_turn" };
        }),
    });
    const turn = session.prompt("go", { idleTimeoutMs: 500 });
    await vi.advanceTimersByTimeAsync(60_000);
    decide();
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });

  test("PROMPT-22 an unknown stop reason ends the turn anyway", async () => {
    const { session } = await openSession({
      agent: (peer) => peer.connection.onRequest("session/prompt", () => ({ stopReason: "weird" })),
    });
    await expect(session.prompt("go").result).rejects.toMatchObject({ name: "DecodeError" });
    expect(session.turn).toBeUndefined();
  });

  test("the end of the connection rejects the running turn and the queued ones", async () => {
    const { session, peer } = await openSession({
      agent: (peer) => peer.handle("session/prompt", () => new Promise(() => {})),
    });
    const turns = [session.prompt("one"), session.prompt("two")];
    const settled = Promise.allSettled(turns.map(({ result }) => result));
    await peer.connection.close();
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "ConnectionError", code: "peer_closed" } });
    }
  });
});

describe("requests of the agent", () => {
  test("INIT-19/PERM-08 the response to a permission request without a rule is cancelled if the agent offers no rejection", async () => {
    const { peer } = await openSession();
    expect(await peer.request("session/request_permission", ask)).toEqual({ outcome: { outcome: "cancelled" } });
  });

  test("the first rule that decides wins", async () => {
    const third = vi.fn();
    const { peer } = await openSession({ permissions: [async () => undefined, async () => "allow_once", third] });
    expect(await peer.request("session/request_permission", ask)).toEqual({
      outcome: { outcome: "selected", optionId: "y" },
    });
    expect(third).not.toHaveBeenCalled();
  });

  test("a rule that fails, or chooses an option that was not offered, permits nothing", async () => {
    const { peer, diagnostics } = await openSession({
      permissions: async (request) => {
        if (request.toolCall.toolCallId === "t") throw new Error("broken");
        return "reject_once";
      },
    });
    expect(await peer.request("session/request_permission", ask)).toEqual({ outcome: { outcome: "cancelled" } });
    const other = { ...ask, toolCall: { toolCallId: "u" } };
    expect(await peer.request("session/request_permission", other)).toEqual({ outcome: { outcome: "cancelled" } });
    expect(diagnostics.map(({ code }) => code)).toEqual(["handler_failed", "invalid_permission_decision"]);
  });

  test("ELICIT-19 a mode that was not advertised gets the error -32602", async () => {
    const { peer } = await openSession({ elicitation: { form: () => ({ action: "decline" }) } });
    const url = { mode: "url" as const, sessionId: "s1", message: "?", url: "https://example.com", elicitationId: "e" };
    await expect(peer.request("elicitation/create", url)).rejects.toMatchObject({ code: -32602 });
    const form = {
      mode: "form" as const,
      sessionId: "s1",
      message: "?",
      requestedSchema: { type: "object" as const, properties: {} },
    };
    expect(await peer.request("elicitation/create", form)).toEqual({ action: "decline" });
  });

  test("handlers receive the session of the request", async () => {
    const { peer, session } = await openSession({
      files: { readTextFile: (_params, context) => ({ content: context.session?.sessionId ?? "none" }) },
    });
    expect(await peer.request("fs/read_text_file", { sessionId: session.sessionId, path: "/a" })).toEqual({
      content: "s1",
    });
  });
});

describe("authentication", () => {
  const authMethods: InitializeResponse["authMethods"] = [
    { id: "agent", name: "Agent" },
    { type: "terminal", id: "term", name: "Terminal" },
  ];

  test("AUTH-04/05 only advertised ids that are not for a terminal are sent", async () => {
    const { connection, params } = await connect({
      answer: { authMethods },
      agent: (peer) => peer.handle("authenticate", () => ({})),
    });
    await expect(connection.authenticate("nope")).rejects.toThrow(TypeError);
    await expect(connection.authenticate("term")).rejects.toThrow(TypeError);
    await connection.authenticate("agent");
    expect(params.authenticate).toEqual({ methodId: "agent" });
  });

  test("CAP-06 logout without the capability is not sent", async () => {
    const { connection, sent } = await connect();
    await expect(connection.logout()).rejects.toMatchObject({
      name: "CapabilityError",
      capability: "agentCapabilities.auth.logout",
    });
    expect(sent).toEqual(["initialize"]);
  });
});
