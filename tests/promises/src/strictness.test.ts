import type { ConnectAgentOptions } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { transports } from "./harness/connect.js";
import { agentMethods, clientMethods, malformations } from "./harness/malformed.js";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClient, rawClientWithSession } from "./harness/raw-client.js";
import type { RawPeer } from "./harness/raw-peer.js";
import { isProfile } from "./harness/remote.js";
import { isResponse, stopReason } from "./harness/wire.js";

async function expectRefusal(
  peer: RawPeer,
  method: string,
  { path, params }: { path: string; params: unknown },
): Promise<void> {
  const what = `${method} ${JSON.stringify(params)}`;
  const { error } = await peer.request(method, params as object);
  expect(error, what).toMatchObject({ code: -32602, data: { issues: [{ message: expect.any(String) }] } });
  const data = error?.data as { issues: { path: (string | number)[] }[] } | undefined;
  const keys = (data?.issues[0]?.path ?? []).map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  expect(keys.join("").replace(/^\./, ""), what).toBe(path);
}

/** Handlers for every method, which record their calls. */
function recordingHandlers(reached: string[]): ConnectAgentOptions {
  const note = (method: string) => (): never => {
    reached.push(method);
    throw new Error("not to be reached");
  };
  return {
    permissions: note("session/request_permission"),
    files: { readTextFile: note("fs/read_text_file"), writeTextFile: note("fs/write_text_file") },
    terminals: {
      createTerminal: note("terminal/create"),
      terminalOutput: note("terminal/output"),
      waitForTerminalExit: note("terminal/wait_for_exit"),
      killTerminal: note("terminal/kill"),
      releaseTerminal: note("terminal/release"),
    },
    elicitation: { form: note("elicitation/create"), url: note("elicitation/create") },
  };
}

describe.each(transports)("over %s", (kind) => {
  it("strict.malformed-params: RPC-10 WIRE-04 INIT-11 SESS-02 SESS-13 SESS-22 the agent responds with -32602 and the path, for every method", async () => {
    await using client = await rawClient(kind);
    const { peer } = client;
    for (const method of agentMethods) {
      if (method.method === "authenticate") await peer.request("initialize", { protocolVersion: 1 });
      for (const malformed of malformations(method)) await expectRefusal(peer, method.method, malformed);
    }
    await peer.request("session/new", { cwd: "/work", mcpServers: [] });
    expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
  });

  it("strict.malformed-params: RPC-10 WIRE-04 FS-06 FS-11 PERM-13 TERM-03 the client responds with -32602 and the path, and calls no handler", async () => {
    const reached: string[] = [];
    await using agent = await connectRaw(kind, recordingHandlers(reached));
    agent.peer.answer("session/new", { sessionId: "session-1" });
    await agent.client.newSession({ cwd: "/work" });
    for (const method of clientMethods) {
      for (const malformed of malformations(method)) await expectRefusal(agent.peer, method.method, malformed);
    }
    expect(reached).toEqual([]);
  });

  it("strict.malformed-params: CONT-03 PROMPT-16 rules beyond the schema are checked, too: absolute cwd, content without a capability", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const refused = [
      ["session/new", { cwd: "./x", mcpServers: [] }],
      ["session/new", { cwd: "", mcpServers: [] }],
      ["session/new", { cwd: "/work", mcpServers: [], additionalDirectories: ["x"] }],
      ["session/new", { cwd: "/work", mcpServers: [{ type: "acp", name: "m" }] }],
      ["session/list", { cwd: "x" }],
      ["session/prompt", { sessionId: "session-1", prompt: [{ type: "video" }] }],
      ["authenticate", { methodId: "nothing" }],
    ] as const;
    for (const [method, params] of refused) {
      const { error } = await peer.request(method, params);
      expect(error, `${method} ${JSON.stringify(params)}`).toMatchObject({ code: -32602 });
    }
  });

  it("strict.malformed-params: RPC-05 a malformed notification is dropped and reported, and gets no response", async () => {
    const codes: string[] = [];
    await using agent = await connectRaw(kind, {
      elicitation: { onComplete: () => codes.push("reached") },
      onDiagnostic: ({ code }) => codes.push(code),
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    session.onUpdate(() => void codes.push("reached"));
    agent.peer.update("s1", { sessionUpdate: 5 });
    agent.peer.update("s1", { sessionUpdate: "agent_message_chunk", content: { type: "text" } });
    agent.peer.notify("session/update", { sessionId: 7, update: { sessionUpdate: "plan", entries: [] } });
    agent.peer.notify("session/update");
    agent.peer.notify("elicitation/complete", {});
    const fences = await agent.peer.fence();
    expect(codes).toEqual(Array(5).fill("invalid_params"));
    expect(new Set(agent.peer.received.items.filter(isResponse))).toEqual(new Set(fences));
  });

  it("strict.unknown-methods: RPC-15 RPC-16 CAP-22 EXT-05 EXT-06 a request gets -32601, a notification is ignored and reported", async () => {
    const codes: string[] = [];
    await using agent = await connectRaw(kind, { onDiagnostic: ({ code }) => codes.push(code) });
    agent.peer.answer("session/new", { sessionId: "session-1" });
    await agent.client.newSession({ cwd: "/work" });
    const unadvertised = clientMethods
      .map(({ method }) => method)
      .filter((method) => method !== "session/request_permission");
    for (const method of [
      "craft/read",
      "Session/Update",
      "_vendor.com/x",
      "constructor",
      "initialize",
      ...unadvertised,
    ]) {
      const { params = {} } = clientMethods.find((known) => known.method === method) ?? {};
      expect(await agent.peer.request(method, params)).toMatchObject({ error: { code: -32601 } });
      agent.peer.notify(method, params);
    }
    await agent.peer.fence();
    expect(new Set(codes)).toEqual(new Set(["unknown_notification"]));

    await using client = await rawClientWithSession(kind);
    for (const method of ["no/such", "Session/New", "_x.test/y", "rpc.discover", "toString"]) {
      expect(await client.peer.request(method, {})).toMatchObject({ error: { code: -32601 } });
      client.peer.notify(method, {});
    }
    expect(stopReason(await client.peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
  });

  it("strict.before-initialize: INIT-20 requests before initialize are rejected", async ({ skip }) => {
    skip(isProfile(kind), "RT-21, A3: the server refuses it before the agent; see raw-rules.test.ts of @acp-kit/http");
    await using client = await rawClient(kind);
    for (const { method, params } of agentMethods.slice(1)) {
      expect(await client.peer.request(method, params)).toMatchObject({ error: { code: -32600 } });
    }
    await expectInitializedOnce(client.peer);
  });

  it("strict.before-initialize: INIT-21 SESS-31 rejects a second initialize, and opens no session", async ({
    skip,
  }) => {
    skip(
      kind === "streamable HTTP",
      "A3: a second `initialize` is refused with 400, a session that is not open with 404",
    );
    await using client = await rawClient(kind);
    await expectInitializedOnce(client.peer);
    for (const method of ["session/prompt", "session/set_mode", "session/set_config_option", "session/close"]) {
      const { params = {} } = agentMethods.find((known) => known.method === method) ?? {};
      const { error } = await client.peer.request(method, { ...params, sessionId: "nobody" });
      expect(error).toMatchObject({ code: -32002, data: { sessionId: "nobody" } });
    }
  });
});

async function expectInitializedOnce(peer: RawPeer): Promise<void> {
  const initialize = { protocolVersion: 65_535 };
  expect((await peer.request("initialize", initialize)).result).toMatchObject({ protocolVersion: 1 });
  expect(await peer.request("initialize", initialize)).toMatchObject({ error: { code: -32600 } });
}
