// Our agent of versions 1 and 2, with clients on the official SDK 2.4.0: its version 1, its experimental version 2, and
// its router in front.
import { isDeepStrictEqual } from "node:util";
import { createAgent, type Turn } from "@acp-kit/agent";
import { fromMessageStream, linkedTransports, toMessageStream } from "@acp-kit/protocol";
import { v2 } from "@acp-kit/v2/agent";
import * as sdk1 from "sdk-2";
import * as sdk2 from "sdk-2/experimental/v2";
import { describe, expect, it, onTestFinished } from "vitest";
import { modes } from "./peers/script.js";

const model = {
  id: "model",
  name: "Model",
  type: "select" as const,
  currentValue: "fast",
  options: [
    { value: "fast", name: "Fast" },
    { value: "deep", name: "Deep" },
  ],
};

async function play(turn: Turn): Promise<"end_turn" | undefined> {
  const [word, ...words] = turn.text.split(" ");
  switch (word) {
    case "say":
      for (const each of words) await turn.message(`${each} `);
      return "end_turn";
    case "ask": {
      const call = turn.toolCall({ title: "Edit a.ts", kind: "edit", locations: [{ path: "/work/a.ts" }] });
      const { allowed } = await turn.permit(call);
      await (allowed ? call.complete() : call.fail());
      await turn.message(allowed ? "allowed" : "not allowed");
      return undefined;
    }
    case "form": {
      const answer = await turn.elicit({ message: "Which branch?", fields: { name: { type: "string" } } });
      await turn.message(answer.action === "accept" ? String(answer.values.name) : answer.action);
      return undefined;
    }
    case "wait":
      await turn.message("waiting");
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      return undefined;
    case "run": {
      const call = turn.toolCall({ toolCallId: "c1", title: "npm test", kind: "execute", status: "in_progress" });
      const terminal = call.ownTerminal({ terminalId: "t1", command: "npm test", cwd: "/work" });
      call.detach({
        async cancel() {
          await terminal.exit({ signal: "SIGTERM" });
          await call.cancel();
          await turn.work(async (work) => void (await work.message("The tests were stopped")));
        },
      });
      await terminal.write("running\n");
      return undefined;
    }
    case "plan":
      await turn.plan([{ content: "Write", priority: "high", status: "in_progress" }]);
      await turn.commands([{ name: "review", description: "Reviews", input: { hint: "what" } }]);
      await turn.title("A title");
      await turn.usage({ used: 1, size: 2 });
      await turn.mode("code");
      return undefined;
    case "fail":
      await turn.message("so far");
      throw new Error("failed");
    default:
      return undefined;
  }
}

const ours = createAgent(
  {
    info: { name: "kit", version: "1.0.0" },
    newSession: () => ({ sessionId: "s1", modes, configOptions: [model] }),
    prompt: play,
    async loadSession({ sessionId }, { session }) {
      await session(sessionId).userMessage("Hello");
      await session(sessionId).message("Good day");
      return { modes, configOptions: [model] };
    },
    resumeSession: () => ({ configOptions: [model] }),
    listSessions: () => ({ sessions: [{ sessionId: "old", cwd: "/work", title: "Old" }] }),
    closeSession: () => {},
    deleteSession: () => {},
    setSessionMode: () => {},
    setSessionConfigOption: () => {},
    authMethods: [{ id: "token", name: "Token" }],
    authenticate: () => {},
    logout: () => {},
    extensions: { "_example.com/echo": { kind: "request", handle: (params) => params } },
  },
  { versions: [v2] },
);

/** Our agent for an application of the SDK. */
const connector = {
  connect(stream: { readable: ReadableStream; writable: WritableStream }) {
    const connection = ours.connect(fromMessageStream(stream as never));
    return {
      closed: connection.closed.then(() => {}),
      close: () => void connection.close(),
      signal: new AbortController().signal,
    };
  },
};

type Serve = (agentEnd: ReturnType<typeof linkedTransports>[0]) => void;

const direct: Serve = (agentEnd) => {
  const connection = ours.connect(agentEnd);
  onTestFinished(() => connection.close());
};

const behindRouter: Serve = (agentEnd) => {
  const router = sdk2
    .agentProtocolRouter()
    .withV1(connector as never)
    .withV2(connector as never);
  router.connect(toMessageStream(agentEnd) as never);
  onTestFinished(() => agentEnd.close());
};

type Update = sdk2.UpdateSessionNotification["update"];

async function connectV2(serve: Serve, answers: { permission?: string; branch?: string } = {}) {
  const [agentEnd, clientEnd] = linkedTransports();
  serve(agentEnd);
  const updates: Update[] = [];
  const waiting = new Set<() => void>();
  const app = sdk2
    .client({ name: "client-v2" })
    .onNotification("session/update", ({ params: { update } }) => {
      updates.push(update);
      for (const check of waiting) check();
    })
    .onRequest("session/request_permission", () => ({
      outcome:
        answers.permission === undefined
          ? { outcome: "cancelled" }
          : { outcome: "selected", optionId: answers.permission },
    }))
    .onRequest("elicitation/create", () => ({ action: "accept", content: { name: answers.branch ?? "main" } }));
  const connection = app.connect(toMessageStream(clientEnd) as never);
  onTestFinished(() => connection.close());
  const initialized = await connection.agent.request("initialize", {
    protocolVersion: 2,
    info: { name: "client-v2", version: "1" },
    capabilities: { elicitation: { form: {} } },
  });
  /** Resolves when the client has received an update with these members. */
  const until = (members: object): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!updates.some((update) => matches(update, members))) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { agent: connection.agent, initialized, updates, until };
}

const matches = (update: object, members: object): boolean =>
  Object.entries(members).every(([name, value]) => isDeepStrictEqual((update as Record<string, unknown>)[name], value));

describe.each([
  ["our agent", direct],
  ["our agent behind the router of the SDK", behindRouter],
] as const)("a client on the SDK's version 2 and %s", (_, serve) => {
  it("V2-REQ-03: agree on version 2, log in and out, and exchange extensions", async () => {
    const { agent, initialized } = await connectV2(serve);
    expect(initialized).toMatchObject({
      protocolVersion: 2,
      info: { name: "kit" },
      capabilities: { session: { delete: {}, mcp: { stdio: {} } } },
      authMethods: [{ type: "agent", methodId: "token" }],
    });
    await agent.request("auth/login", { methodId: "token" });
    await agent.request("auth/logout", {});
    expect(await agent.request("_example.com/echo", { a: 1 })).toEqual({ a: 1 });
  });

  it("V2-REQ-04: each prompt resolves with its id, and its text is read until the state is idle", async () => {
    const { agent, updates } = await connectV2(serve);
    const session = await agent.buildSession("/work").start();
    for (const text of ["first words ", "second words "]) {
      const { messageId } = await session.prompt(`say ${text.trim()}`);
      expect(await session.readTextUntilIdle()).toBe(text);
      expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: "user_message", messageId }));
    }
    session.dispose();
  });

  it("V2-REQ-11: ask for permission with a title and the tool call, and show a form", async () => {
    const { agent, updates } = await connectV2(serve, { permission: "allow_once", branch: "topic" });
    const session = await agent.buildSession("/work").start();
    await session.prompt("ask");
    expect(await session.readTextUntilIdle()).toBe("allowed");
    await session.prompt("form");
    expect(await session.readTextUntilIdle()).toBe("topic");
    const states = updates.flatMap((update) => (update.sessionUpdate === "state_update" ? [update.state] : []));
    expect(states).toEqual([
      ...["running", "requires_action", "running", "idle"],
      ...["running", "requires_action", "running", "idle"],
    ]);
  });

  it("V2-REQ-14: cancel the work", async () => {
    const { agent, until } = await connectV2(serve);
    const session = await agent.buildSession("/work").start();
    await session.prompt("wait");
    await until({ sessionUpdate: "agent_message_chunk" });
    await agent.notify("session/cancel", { sessionId: session.sessionId });
    await until({ sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
  });

  it("V2-REQ-16, V2-REQ-18: list background work, cancel its terminal, and receive work of the agent", async () => {
    const { agent, until } = await connectV2(serve);
    const session = await agent.buildSession("/work").start();
    await session.prompt("run");
    await session.readTextUntilIdle();
    expect(session.background).toEqual([{ type: "terminal", terminalId: "t1" }]);
    expect(session.canCancelTerminal("t1")).toBe(true);
    expect(session.canCancelToolCall("c1")).toBe(true);
    await session.cancelTerminal("t1");
    await until({ content: { type: "text", text: "The tests were stopped" } });
    await until({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: [] });
    expect(session.background).toEqual([]);
    await expect(agent.request("tool_call/cancel", { sessionId: "s1", toolCallId: "c1" })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("V2-REQ-12: resume with a replay, and list, close and delete sessions", async () => {
    const { agent, updates, until } = await connectV2(serve);
    const { configOptions } = await agent.request("session/resume", {
      sessionId: "old",
      cwd: "/work",
      replayFrom: { type: "start" },
    });
    expect(configOptions?.map((option) => (option as { configId: string }).configId)).toEqual(["mode", "model"]);
    await until({ sessionUpdate: "state_update" });
    expect(updates).toMatchObject([
      { sessionUpdate: "user_message_chunk", messageId: expect.any(String), content: { text: "Hello" } },
      { sessionUpdate: "agent_message_chunk", messageId: expect.any(String), content: { text: "Good day" } },
      { sessionUpdate: "state_update", state: "idle", background: [] },
    ]);
    expect(await agent.request("session/list", {})).toMatchObject({ sessions: [{ sessionId: "old" }] });
    await agent.request("session/close", { sessionId: "old" });
    await agent.request("session/delete", { sessionId: "old" });
  });

  it("V2-REQ-22: set the mode and an option; plans, commands, title and usage have the form of version 2", async () => {
    const { agent, updates, until } = await connectV2(serve);
    const session = await agent.buildSession("/work").start();
    const { configOptions } = await session.setConfigOption({ configId: "model", type: "id", value: "deep" });
    expect(configOptions).toMatchObject([{ configId: "mode" }, { configId: "model", currentValue: "deep" }]);
    await session.prompt("plan");
    await until({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: [] });
    const sent = updates.filter(({ sessionUpdate }) => !/^(user_message|state_update)$/.test(sessionUpdate));
    expect(sent).toMatchObject([
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries: [{ content: "Write" }] } },
      { availableCommands: [{ type: "command", name: "review", input: { type: "text", hint: "what" } }] },
      { sessionUpdate: "session_info_update", title: "A title" },
      { sessionUpdate: "usage_update", used: 1 },
      { configOptions: [{ configId: "mode", currentValue: "code" }, {}] },
    ]);
  });

  it("V2-REQ-09: a failure of the work is idle with the error", async () => {
    const { agent, until } = await connectV2(serve);
    const session = await agent.buildSession("/work").start();
    expect(await session.prompt("fail")).toHaveProperty("messageId");
    await until({ sessionUpdate: "state_update", stopReason: "error" });
  });
});

describe.each([
  ["our agent", direct],
  ["our agent behind the router of the SDK", behindRouter],
] as const)("a client on the SDK's version 1 and %s", (_, serve) => {
  it("V2-REQ-03: agree on version 1, and run a turn as before", async () => {
    const [agentEnd, clientEnd] = linkedTransports();
    serve(agentEnd);
    const updates: sdk1.SessionNotification["update"][] = [];
    const connection = sdk1
      .client({ name: "client-v1" })
      .onNotification("session/update", ({ params: { update } }) => void updates.push(update))
      .onRequest("session/request_permission", ({ params: { toolCall } }) => ({
        outcome:
          toolCall.title === "Edit a.ts" ? { outcome: "selected", optionId: "allow_once" } : { outcome: "cancelled" },
      }))
      .connect(toMessageStream(clientEnd) as never);
    onTestFinished(() => connection.close());
    const { agent } = connection;
    const initialized = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "kit" },
      agentCapabilities: { loadSession: true },
    });
    const { sessionId } = await agent.request("session/new", { cwd: "/work", mcpServers: [] });
    const prompt = (text: string) => agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    expect(await prompt("say hello")).toEqual({ stopReason: "end_turn" });
    expect(await prompt("ask")).toEqual({ stopReason: "end_turn" });
    expect(await prompt("run")).toEqual({ stopReason: "end_turn" });
    const texts = updates.flatMap((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
    );
    expect(texts).toEqual(["hello ", "allowed"]);
    expect(updates.some(({ sessionUpdate }) => /state|user_message|terminal/.test(sessionUpdate))).toBe(false);
  });
});
