import { CapabilityError, ErrorCode } from "@acp-kit/protocol";
import type { IncomingSessionUpdate, SessionUpdate } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { type AgentPeer, chunk, type Script, type Scripted, scripted } from "../../test/scripted-agent.js";
import type { PermissionContext } from "../permissions/permission-rule.js";
import type { UpdateContext } from "../session/session.js";
import { MAX_CHILDREN } from "../transcript/extend-all.js";
import type { MessageEntry } from "../transcript/transcript-entry.js";
import { cancelChild, subagents } from "./subagents.js";

const say = (peer: AgentPeer, sessionId: string, update: object): Promise<void> | undefined =>
  peer.notify("session/update", { sessionId, update: update as SessionUpdate });
const announce = (sessionId: string, members: object = {}) => ({
  sessionUpdate: "subagent_update",
  sessionId,
  ...members,
});
const toolCall = { toolCallId: "c1", title: "Read", kind: "read" as const };
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const }];

interface WithChildren extends Scripted {
  readonly session: Awaited<ReturnType<Scripted["connection"]["newSession"]>>;
  /** Sends updates, and resolves when the client has handled them. */
  readonly updates: (...updates: [sessionId: string, update: object][]) => Promise<void>;
}

async function withChildren(script: Script = {}): Promise<WithChildren> {
  const agent = await scripted({ unstable: [subagents], ...script });
  const session = await agent.connection.newSession({ cwd: "/" });
  let marks = 0;
  return {
    ...agent,
    session,
    async updates(...updates) {
      for (const [sessionId, update] of updates) void say(agent.peer(), sessionId, update);
      const title = `handled ${marks++}`;
      void say(agent.peer(), session.sessionId, { sessionUpdate: "session_info_update", title });
      await vi.waitFor(() => expect(session.transcript.snapshot.title).toBe(title));
    },
  };
}

const children = ({ session }: WithChildren) => session.transcript.snapshot.children ?? {};

test("the client advertises subagents only with the feature", async () => {
  const plain = await scripted({ capabilitiesMeta: { vendor: 1 } });
  expect(plain.received[0]?.params).not.toHaveProperty("clientCapabilities.subagents");
  const { received } = await scripted({ unstable: [subagents], capabilitiesMeta: { vendor: 1 } });
  expect(received[0]?.params).toMatchObject({
    clientCapabilities: { subagents: {}, _meta: { subagents: {}, vendor: 1 } },
  });
});

describe("V2-REQ-34", () => {
  test("terminals that the client runs for a child are in the transcript of the child", async () => {
    const agent = await withChildren({
      terminals: {
        createTerminal: () => ({ terminalId: "t" }),
        terminalOutput: () => ({ output: "3 passed", truncated: false, exitStatus: { exitCode: 0 } }),
        waitForTerminalExit: () => ({ exitCode: 0 }),
        killTerminal: () => {},
        releaseTerminal: () => {},
      },
    });
    await agent.updates(["s1", announce("kid")]);
    await agent.peer().request("terminal/create", { sessionId: "kid", command: "npm", args: ["test"] });
    await agent.peer().request("terminal/output", { sessionId: "kid", terminalId: "t" });
    expect(agent.session.transcript.snapshot.terminals).toEqual({});
    expect(children(agent).kid?.transcript.terminals).toMatchObject({
      t: { command: "npm test", output: "3 passed", exit: { exitCode: 0 } },
    });
  });

  test("updates of an announced child reach the listeners of its session, and its own transcript", async () => {
    const seen: [string | undefined, string, boolean][] = [];
    const agent = await withChildren({
      onUpdate: ({ sessionUpdate }: IncomingSessionUpdate, { child, session }: UpdateContext) => {
        seen.push([child, sessionUpdate, session.sessionId === "s1"]);
      },
    });
    await agent.updates(
      ["s1", announce("kid", { title: "Tests", state: { state: "running" } })],
      ["kid", chunk("All green")],
      ["kid", { sessionUpdate: "tool_call", toolCallId: "c1", title: "npm test", status: "in_progress" }],
    );
    expect(seen.slice(0, 3)).toEqual([
      [undefined, "subagent_update", true],
      ["kid", "agent_message_chunk", true],
      ["kid", "tool_call", true],
    ]);
    expect(agent.session.transcript.snapshot.entries).toEqual([]);
    expect(children(agent)).toMatchObject({
      kid: {
        title: "Tests",
        state: "running",
        transcript: { sessionId: "kid", activity: "running", entries: [{ text: "All green" }, { title: "npm test" }] },
      },
    });
    await agent.updates(["s1", announce("kid", { title: null, state: { state: "idle", stopReason: "end_turn" } })]);
    const { kid } = children(agent);
    expect(kid).not.toHaveProperty("title");
    expect(kid).toMatchObject({ state: "idle", transcript: { activity: "idle", turns: [{ stopReason: "end_turn" }] } });
    expect(kid?.transcript.entries[1]).toMatchObject({ unfinished: true });
    expect(agent.diagnostics).toEqual([]);
  });

  test("the earlier form of the announcement means the same", async () => {
    const agent = await withChildren();
    const capabilities = { cancel: true };
    await agent.updates(
      ["s1", { sessionUpdate: "subagent_spawned", subagentSessionId: "kid", name: "Tests", task: "Run", capabilities }],
      ["kid", chunk("ok")],
    );
    expect(children(agent)).toMatchObject({
      kid: { title: "Tests", description: "Run", canCancel: true, state: "running", transcript: { entries: [{}] } },
    });
    await agent.updates([
      "s1",
      { sessionUpdate: "subagent_state_update", subagentSessionId: "kid", state: "completed" },
    ]);
    expect(children(agent).kid).toMatchObject({ state: "completed", transcript: { activity: "idle" } });
    expect(agent.diagnostics).toEqual([]);
  });

  test("a permission request of a child reaches the rules with its session, and is in the child's transcript", async () => {
    const asked: [string, PermissionContext["session"]][] = [];
    const agent = await withChildren({
      permissions: async ({ sessionId, toolCall }, { session }) => {
        asked.push([`${sessionId} ${toolCall.title}`, session]);
        return "allow_once";
      },
    });
    await agent.updates(["s1", announce("kid")], ["kid", { sessionUpdate: "tool_call", ...toolCall }]);
    const request = { sessionId: "kid", toolCall: { toolCallId: "c1" }, options };
    const { outcome } = await agent.peer().request("session/request_permission", request);
    expect(outcome).toEqual({ outcome: "selected", optionId: "y" });
    expect(asked).toEqual([["kid Read", agent.session]]);
    expect(agent.session.transcript.snapshot.entries).toEqual([]);
    const [entry] = children(agent).kid?.transcript.entries ?? [];
    expect(entry).toMatchObject({ title: "Read", permission: { state: "decided", outcome } });
  });

  test("a child's permission request outlives the turn, but not the cancel of the turn", async () => {
    let ends: (() => void) | undefined;
    const agent = await withChildren({
      permissions: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
      agent: (peer) => {
        peer.handle(
          "session/prompt",
          () => new Promise((resolve) => (ends = () => resolve({ stopReason: "end_turn" }))),
        );
        peer.handleNotification("session/cancel", () => ends?.());
      },
    });
    await agent.updates(["s1", announce("kid")]);
    const first = agent.session.prompt("Hi");
    await vi.waitFor(() => expect(ends).toBeDefined());
    const request = { sessionId: "kid", toolCall, options };
    const settled = vi.fn();
    const response = agent.peer().request("session/request_permission", request).then(settled);
    await vi.waitFor(() => expect(children(agent).kid?.transcript.entries).toHaveLength(1));
    ends?.();
    await first.result;
    expect(settled).not.toHaveBeenCalled();
    ends = undefined;
    const second = agent.session.prompt("Go on");
    await vi.waitFor(() => expect(ends).toBeDefined());
    second.cancel();
    await response;
    expect(settled).toHaveBeenCalledWith({ outcome: { outcome: "cancelled" } });
    await second.result;
  });

  test("a child of a child belongs to the same session", async () => {
    const agent = await withChildren();
    await agent.updates(
      ["s1", announce("kid")],
      ["kid", announce("grandkid", { title: "Inner" })],
      ["grandkid", chunk("deep")],
    );
    expect(children(agent)).toMatchObject({
      kid: { transcript: { entries: [] } },
      grandkid: { parentId: "kid", title: "Inner", transcript: { entries: [{ text: "deep" }] } },
    });
  });

  test("a child's updates wait for a slow listener that still handles the announcement", async () => {
    let goOn: (() => void) | undefined;
    const seen: (string | undefined)[] = [];
    const agent = await withChildren({
      onUpdate: async ({ sessionUpdate }: IncomingSessionUpdate, { child }: UpdateContext) => {
        seen.push(child);
        const update: string = sessionUpdate;
        if (update === "session_info_update") await new Promise<void>((resolve) => (goOn = resolve));
      },
    });
    void say(agent.peer(), "s1", { sessionUpdate: "session_info_update", title: "slow" });
    void say(agent.peer(), "s1", announce("kid"));
    void say(agent.peer(), "kid", chunk("waits"));
    await vi.waitFor(() => expect(goOn).toBeDefined());
    expect(seen).toEqual([undefined]);
    goOn?.();
    await vi.waitFor(() => expect(seen).toEqual([undefined, undefined, "kid"]));
    expect(agent.diagnostics).toEqual([]);
  });

  test("other ids are reported, and nothing else happens", async () => {
    const agent = await withChildren();
    await agent.updates(["nobody", chunk("?")]);
    expect(agent.diagnostics).toMatchObject([{ code: "unknown_session" }]);
    expect(agent.session.transcript.snapshot).not.toHaveProperty("children");
  });

  test("a child that announces itself as its own parent, or belongs to another, is reported and ignored", async () => {
    const agent = await withChildren();
    await agent.updates(
      ["s1", announce("kid")],
      ["s1", announce("s1")],
      ["kid", announce("kid")],
      ["kid", announce("s1")],
      ["s1", announce("other")],
      ["other", announce("kid", { state: { state: "idle" } })],
      ["kid", chunk("still here")],
    );
    expect(agent.diagnostics.map(({ code }) => code)).toEqual(Array(4).fill("child_session_ignored"));
    expect(Object.keys(children(agent))).toEqual(["kid", "other"]);
    expect(children(agent).kid?.transcript.entries).toMatchObject([{ text: "still here" }]);
  });

  test("children are bounded, and each one above the limit is reported", async () => {
    const agent = await withChildren();
    const many = Array.from({ length: MAX_CHILDREN + 10 }, (_, n): [string, object] => ["s1", announce(`kid ${n}`)]);
    await agent.updates(...many);
    expect(Object.keys(children(agent))).toHaveLength(MAX_CHILDREN);
    expect(agent.diagnostics).toHaveLength(10);
  });

  test("the children of a closed session are unknown again", async () => {
    const agent = await withChildren();
    await agent.updates(["s1", announce("kid")]);
    await agent.session.close();
    void say(agent.peer(), "kid", chunk("late"));
    await vi.waitFor(() => expect(agent.diagnostics).toMatchObject([{ code: "unknown_session" }]));
  });

  test("a load begins the children again, and a load that fails keeps them", async () => {
    let fails = false;
    const agent = await withChildren({
      onUpdate: () => {}, // so that no update is buffered for the first listener
      answer: { agentCapabilities: { loadSession: true } },
      agent: (peer) =>
        peer.handle("session/load", async () => {
          await say(peer, "s1", announce("kid", { title: "Again" }));
          await say(peer, "kid", chunk("history"));
          if (fails) throw Object.assign(new Error("no"), { code: ErrorCode.internalError });
          return {};
        }),
    });
    await agent.updates(["s1", announce("kid")], ["s1", announce("gone")], ["kid", chunk("live")]);
    const { connection } = agent;
    const seen: (string | undefined)[] = [];
    const load = () =>
      connection.loadSession({ sessionId: "s1", cwd: "/" }, { onUpdate: (_, { child }) => seen.push(child) });
    await load();
    expect(seen).toEqual([undefined, "kid"]);
    const texts = () =>
      Object.entries(children(agent)).map(([id, { transcript }]) => [
        id,
        (transcript.entries as readonly MessageEntry[]).map(({ text }) => text),
      ]);
    expect(texts()).toEqual([["kid", ["history"]]]);
    await agent.updates(["kid", chunk(", and live")]);
    fails = true;
    await expect(load()).rejects.toThrow();
    expect(texts()).toEqual([["kid", ["history, and live"]]]);
  });
});

test("cancelChild cancels a child that allows it", async () => {
  const agent = await withChildren();
  await agent.updates(["s1", announce("kid", { capabilities: { cancel: {} } })], ["s1", announce("other")]);
  cancelChild(agent.session, "kid");
  await vi.waitFor(() =>
    expect(agent.received.at(-1)).toEqual({ method: "session/cancel", params: { sessionId: "kid" } }),
  );
  expect(() => cancelChild(agent.session, "other")).toThrow(CapabilityError);
  expect(() => cancelChild(agent.session, "nobody")).toThrow(CapabilityError);
});

test("messages between sessions are messages with a sender and a recipient", async () => {
  const agent = await withChildren();
  const message = { sessionUpdate: "session_message", messageId: "m1" };
  const part = { sessionUpdate: "session_message_chunk", messageId: "m1", content: { type: "text", text: " me" } };
  const content = [{ type: "text", text: "Help" }, { odd: true }];
  await agent.updates(
    ["s1", announce("kid")],
    ["s1", { ...message, senderSessionId: "s1", recipientSessionId: "kid", content }],
    ["s1", part],
    ["kid", { ...message, senderSessionId: "s1", content: null }],
  );
  expect(agent.session.transcript.snapshot.entries).toMatchObject([
    { type: "agent_message", sender: "s1", recipient: "kid", text: "Help me" },
  ]);
  expect(children(agent).kid?.transcript.entries).toMatchObject([{ sender: "s1", text: "" }]);
});
