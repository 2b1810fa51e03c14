import type { Diagnostic } from "@acp-kit/client";
import { type IncomingSessionUpdate, isKnownSessionUpdate } from "@acp-kit/types";
import { describe, expect, it } from "vitest";
import { transports } from "./harness/connect.js";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClient, rawClientWithSession } from "./harness/raw-client.js";
import { isUpdate, says, stopReason } from "./harness/wire.js";

/** Values that no v1 schema defines and that must reach the application unchanged. */
const unknown = [
  { sessionUpdate: "future_thing", nested: { list: [1, null, { a: true }] }, zzz: "kept" },
  { sessionUpdate: "_vendor.com/progress", percent: 42 },
  { sessionUpdate: "config_options_replaced", configOptions: [] },
  { sessionUpdate: "agent_message_chunk", content: { type: "hologram", data: "…" } },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x", future: 1 }, other: [2] },
  { sessionUpdate: "tool_call", toolCallId: "t", title: "T", content: [{ type: "canvas", strokes: 3 }] },
  { sessionUpdate: "compaction_update", compactionId: "c", status: "paused" },
  { sessionUpdate: "usage_update", used: 1, size: 2, cost: null, _meta: { "vendor.com/x": [1] } },
];

describe.each(transports)("over %s", (kind) => {
  it("tolerance.unknown-survives: UPD-03 RPC-19 WIRE-06 values of a newer agent reach the application unchanged and typed as unknown", async () => {
    await using agent = await connectRaw(kind);
    const session = await agent.client.newSession({ cwd: "/work" });
    agent.peer.answer("session/prompt", () => {
      for (const update of unknown) agent.peer.update("s1", update);
      return { stopReason: "end_turn" };
    });
    const received: IncomingSessionUpdate[] = [];
    for await (const update of session.prompt("go")) received.push(update);
    expect(received).toEqual(unknown);
    expect(received.map(isKnownSessionUpdate)).toEqual([false, false, false, ...Array(5).fill(true)]);
  });

  it("tolerance.one-bad-field: WIRE-01 WIRE-02 EXT-09 TOOL-19 an invalid member is repaired, the rest of the message is unchanged, and the repair is reported", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await connectRaw(kind, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const session = await agent.client.newSession({ cwd: "/work" });
    const text = { type: "content", content: { type: "text", text: "kept" } };
    const entry = { content: "Kept", priority: "high", status: "pending" };
    agent.peer.answer("session/prompt", () => {
      agent.peer.update("s1", {
        sessionUpdate: "tool_call",
        toolCallId: "t",
        title: "T",
        kind: "juggle",
        status: 7,
        content: [text, 5],
      });
      agent.peer.update("s1", { sessionUpdate: "plan", entries: [entry, 5, entry], _meta: 5 });
      agent.peer.update("s1", {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        title: null,
        locations: [{}, { path: "/a" }],
      });
      return { stopReason: "end_turn" };
    });
    const received: IncomingSessionUpdate[] = [];
    for await (const update of session.prompt("go")) received.push(update);
    expect(received).toMatchObject([
      { sessionUpdate: "tool_call", toolCallId: "t", title: "T", content: [text] },
      { sessionUpdate: "plan", entries: [entry, entry] },
      { sessionUpdate: "tool_call_update", toolCallId: "t", locations: [{ path: "/a" }] },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["salvaged", "salvaged", "salvaged"]);
  });

  it("tolerance.odd-tool-calls: TOOL-18 PERM-09 tool call updates in any order are delivered in that order", async () => {
    const asked: unknown[] = [];
    await using agent = await connectRaw(kind, {
      permissions: async ({ toolCall }) => {
        asked.push(toolCall);
        return "allow_once";
      },
    });
    const session = await agent.client.newSession({ cwd: "/work" });
    const updates = [
      { sessionUpdate: "tool_call_update", toolCallId: "unheard-of", status: "completed" },
      { sessionUpdate: "tool_call", toolCallId: "twice", title: "One" },
      { sessionUpdate: "tool_call", toolCallId: "twice", title: "Two" },
    ];
    const turn = session.prompt("go");
    const prompt = await agent.peer.next("session/prompt");
    for (const update of updates) agent.peer.update("s1", update);
    const { result } = await agent.peer.request("session/request_permission", {
      sessionId: "s1",
      toolCall: { toolCallId: "never announced", title: "Surprise" },
      options: [
        { optionId: "no", name: "No", kind: "reject_once" },
        { optionId: "cancel", name: "Yes", kind: "allow_once" },
      ],
    });
    agent.peer.respond(prompt, { stopReason: "end_turn" });
    const received: IncomingSessionUpdate[] = [];
    for await (const update of turn) received.push(update);
    expect(received).toEqual(updates);
    expect(asked).toEqual([{ toolCallId: "never announced", title: "Surprise" }]);
    // By kind, not by name or position.
    expect(result).toEqual({ outcome: { outcome: "selected", optionId: "cancel" } });
  });

  it("tolerance.unknown-session: SESS-32 an update for an unknown session is reported and dropped", async ({
    skip,
  }) => {
    skip(kind === "streamable HTTP", "RT-10, RT-11: a client opens no stream for a session that it does not know");
    const codes: string[] = [];
    await using agent = await connectRaw(kind, { onDiagnostic: ({ code }) => codes.push(code) });
    agent.peer.say("nobody", "hello?");
    await agent.peer.fence();
    expect(codes).toEqual(["unknown_session"]);
  });

  it("tolerance.poor-clients: INIT-12 INIT-13 INIT-14 INIT-15 INIT-22 INIT-23 an agent serves a client with missing or invalid members", async () => {
    const capabilities = [
      undefined,
      null,
      5,
      {},
      { fs: null, terminal: "yes", elicitation: {}, future: {} },
      { fs: { readTextFile: false }, session: {}, auth: {}, elicitation: { form: null, url: null } },
    ];
    for (const clientCapabilities of capabilities) {
      await using client = await rawClient(kind);
      const { peer } = client;
      const params = { protocolVersion: 1, clientCapabilities, clientInfo: clientCapabilities === 5 ? 5 : null };
      expect((await peer.request("initialize", params)).result).toMatchObject({ protocolVersion: 1 });
      await peer.request("session/new", { cwd: "/work", mcpServers: null, additionalDirectories: null });
      for (const text of ["read /work/a.ts", "write /work/a.ts x", "run ls", "elicit"]) {
        const { error } = await peer.request("session/prompt", promptOf(text));
        expect(error).toMatchObject({ code: -32603 }); // The CapabilityError of the handler, without its message.
      }
      expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
      const asked = peer.received.items.filter(({ method }) => /^(fs|terminal|elicitation)\//.test(method ?? ""));
      expect(asked).toEqual([]);
    }
  });

  it("tolerance.odd-clients: CANCEL-02 PERM-07 PERM-11 CANCEL-15 deviations of real clients do not affect a turn", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    // Cancel as a request, and with members of its own.
    expect((await peer.request("session/cancel", { sessionId: "session-1", reason: "bored" })).result).toEqual({});
    // Responses to permission requests that approve nothing.
    const answers = [
      { outcome: { outcome: "selected", optionId: "not offered" } },
      { outcome: { outcome: "cancelled" } },
      { outcome: { outcome: "selected", optionId: "reject_once" } },
    ];
    const decisions = ["cancelled", "cancelled", "reject_once"];
    for (const [n, answer] of answers.entries()) {
      peer.answer("session/request_permission", answer);
      expect(stopReason(await peer.request("session/prompt", promptOf("ask")))).toBe("end_turn");
      expect(peer.received.items.filter(isUpdate("agent_message_chunk"))[n]).toSatisfy(says(decisions[n] as string));
    }
    // An error response to a cancelled request.
    peer.answer("session/request_permission", () => undefined);
    const prompt = peer.request("session/prompt", promptOf("ask"));
    const request = await peer.next("session/request_permission");
    peer.notify("session/cancel", { sessionId: "session-1" });
    peer.refuse(request, -32800);
    expect(stopReason(await prompt)).toBe("cancelled");
    // An empty prompt.
    expect((await peer.request("session/prompt", { sessionId: "session-1", prompt: [] })).error?.code).toBe(-32602);
  });
});
