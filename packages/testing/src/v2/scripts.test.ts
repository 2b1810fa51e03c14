import { RpcError } from "@acp-kit/jsonrpc";
import type { SessionUpdate } from "@acp-kit/types/v2";
import { describe, expect, it } from "vitest";
import { noResponse } from "../script/scripted-peer.js";
import { acpMatchers } from "../vitest/matchers.js";
import { v2AgentScript } from "./agent-script.js";
import { v2ClientScript } from "./client-script.js";
import { script as readmeScript } from "./readme.examples.js";

expect.extend(acpMatchers);

/** A scripted client that has opened a session with a scripted agent. */
async function conversation(script = v2AgentScript(), player = v2ClientScript()) {
  const agent = script.inMemory();
  const client = player.connect(agent.transport);
  await client.initialize();
  await client.newSession();
  client.forget();
  return { agent, client };
}

/** The received messages in short: the kinds of updates, the states with stop reasons, and the ids of responses. */
function shortOf(client: { receivedSoFar(): readonly object[] }): unknown[] {
  return client.receivedSoFar().map((message) => {
    const { id, method, params, error } = message as {
      readonly id?: unknown;
      readonly method?: string;
      readonly params?: { readonly update?: Record<string, unknown> };
      readonly error?: { readonly code: number };
    };
    const { sessionUpdate, state, stopReason, content } = params?.update ?? {};
    if (sessionUpdate === "state_update") return [state, stopReason].filter(Boolean).join(" ");
    const text = (content as { readonly text?: string } | undefined)?.text;
    if (sessionUpdate !== undefined) return text === undefined ? sessionUpdate : `${sessionUpdate} ${text}`;
    return method ?? (error === undefined ? `response ${id}` : `error ${error.code}`);
  });
}

describe("a scripted agent of version 2", () => {
  it("inserts a prompt and ends its work with a state, by default", async () => {
    const { agent, client } = await conversation();
    const response = await client.prompt("anything", { id: 1 });
    expect(response.result).toEqual({ messageId: "user-1" });
    expect((await client.idle()).stopReason).toBe("end_turn");
    expect(shortOf(client)).toEqual(["user_message", "running", "response 1", "idle end_turn"]);
    expect(client).toHaveStopped("end_turn");
    expect(agent).toHaveStopped("end_turn");
    expect(client).toHaveConformantDialogue();
    expect(agent).toHaveConformantDialogue();
  });

  it("sends whole messages, chunks, plans and tool calls, and conforms to the schema of version 2", async () => {
    const script = v2AgentScript().onPrompt(/^do (.*)/, async (work) => {
      work.thought("hm");
      work.plan("look", { content: "fix", status: "in_progress" });
      const call = work.toolCall({ title: "Fix", kind: "edit" });
      const { outcome } = await work.requestPermission("May I fix it?", {
        subject: { type: "tool_call", toolCall: { toolCallId: call } },
      });
      work.toolCallUpdate(call, { status: outcome.outcome === "selected" ? "completed" : "cancelled" });
      const draft = work.wholeMessage("a draft");
      work.wholeMessage("final", draft);
      work.message("one");
      work.message("two");
      return "max_tokens";
    });
    const { agent, client } = await conversation(script, v2ClientScript().onPermission(/fix/, "allow_once"));
    await client.prompt("do it", { id: 1 });
    expect(await client.idle()).toHaveStopped("max_tokens");
    expect(shortOf(client)).toEqual([
      "user_message",
      "running",
      "response 1",
      "agent_thought_chunk hm",
      "plan_update",
      "tool_call_update",
      "requires_action",
      "session/request_permission",
      "running",
      "tool_call_update",
      "agent_message",
      "agent_message",
      "agent_message_chunk one",
      "agent_message_chunk two",
      "idle max_tokens",
    ]);
    const ids = client.receivedSoFar("session/update").map(({ params }) => {
      const { update } = params as { readonly update: { readonly messageId?: string } };
      return update.messageId;
    });
    expect(ids.slice(-5, -1)).toEqual(["agent-1", "agent-1", "agent-2", "agent-2"]);
    expect(client).toHaveConformantDialogue();
    expect(agent).toHaveConformantDialogue();
  });

  it("holds a prompt until it inserts it, while other work of the session runs", async () => {
    const gates = new Map<string, () => void>();
    const script = v2AgentScript().onPrompt(async (work) => {
      if (work.text === "first") work.insert();
      await new Promise<void>((resolve) => void gates.set(work.text, resolve));
      work.message(`did ${work.text}`);
      gates.delete(work.text);
    });
    const { agent, client } = await conversation(script);
    await client.prompt("first", { id: 1 });
    client.prompt("second", { id: 2 });
    await client.fence();
    expect(client.responseTo(2)).toBeUndefined();
    gates.get("second")?.();
    await client.received(({ id }) => id === 2);
    gates.get("first")?.();
    await client.idle();
    expect(shortOf(client).filter((line) => line !== "error -32601")).toEqual([
      "user_message",
      "running",
      "response 1",
      "user_message",
      "response 2",
      "agent_message_chunk did second",
      "agent_message_chunk did first",
      "idle end_turn",
    ]);
    await agent.close();
  });

  it("ends cancelled work as cancelled, and refuses the prompts that it holds", async () => {
    const script = v2AgentScript().onPrompt(async (work) => {
      if (work.text === "run") work.message("running");
      await work.cancelled;
      if (work.text === "run") throw new Error("the model was interrupted");
    });
    const { agent, client } = await conversation(script);
    await client.prompt("run", { id: 1 });
    const held = client.prompt("wait", { id: 2 });
    client.cancel();
    expect((await held).error?.code).toBe(-32800);
    expect(await client.idle()).toHaveStopped("cancelled");
    expect(client.receivedSoFar().filter(({ id }) => id === 2)).toHaveLength(1);
    await expect(agent.close()).rejects.toThrow("interrupted");
  });

  it("refuses a prompt by an error before the insertion, and ends with the error after it", async () => {
    const script = v2AgentScript()
      .onPrompt("early", () => {
        throw new RpcError(-32000, "log in");
      })
      .onPrompt("late", (work) => {
        work.message("trying");
        throw new RpcError(-32000, "log in", { data: { methodId: "a" } });
      })
      .onPrompt("never", () => noResponse);
    const { agent, client } = await conversation(script);
    expect((await client.prompt("early")).error).toEqual({ code: -32000, message: "log in" });
    expect(shortOf(client)).toEqual(["error -32000"]);
    expect((await client.prompt("late")).result).toEqual({ messageId: "user-1" });
    expect(await client.idle()).toMatchObject({
      stopReason: "error",
      error: { code: -32000, message: "log in", data: { methodId: "a" } },
    });
    client.forget();
    client.prompt("never");
    await client.fence();
    expect(shortOf(client)).toEqual(["error -32601"]); // the response to the fence
    await agent.close();
  });

  it("does work without a prompt, and lists background work in every state", async () => {
    const { agent, client } = await conversation();
    const background = [{ type: "tool_call", toolCallId: "call-1" }] as const;
    await agent.work("session-1", (work) => {
      work.toolCall("Watch files");
      agent.background("session-1", background);
      work.message("watching");
    });
    expect(await client.idle()).toEqual({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "end_turn",
      background,
    });
    expect(shortOf(client)).toEqual([
      "running",
      "tool_call_update",
      "running",
      "agent_message_chunk watching",
      "idle end_turn",
    ]);
    expect(client).toHaveConformantDialogue();
  });

  it("replays a session with resume, then sends its state, and joins running work", async () => {
    const said: SessionUpdate = {
      sessionUpdate: "agent_message",
      messageId: "old",
      content: [{ type: "text", text: "before" }],
    };
    let finish = (): void => {};
    const script = v2AgentScript()
      .savedSession("saved", [said])
      .onPrompt(async (work) => {
        work.message("working");
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      });
    const { client } = await conversation(script);
    await client.resumeSession({ sessionId: "saved", replayFrom: null });
    expect(shortOf(client).slice(0, -1)).toEqual(["idle"]);
    client.forget();
    await client.resumeSession({ sessionId: "saved" });
    expect(shortOf(client).slice(0, -1)).toEqual(["agent_message", "idle"]);
    await client.prompt("go");
    await client.received(({ params }) => JSON.stringify(params ?? null).includes("working"));
    client.forget();
    await client.resumeSession({ sessionId: "saved" });
    expect(shortOf(client).slice(0, -1)).toEqual([
      "agent_message",
      "user_message",
      "agent_message_chunk working",
      "running",
    ]);
    finish();
    expect(await client.idle()).toHaveStopped("end_turn");
    expect((await client.resumeSession({ sessionId: "other" })).error).toMatchObject({
      code: -32002,
      data: { sessionId: "other" },
    });
    expect((await client.resumeSession({ sessionId: "saved", replayFrom: { type: "_x" } })).error?.code).toBe(-32602);
    expect(client).toHaveConformantDialogue();
  });

  it("closes a session after its work has ended, and refuses prompts afterwards", async () => {
    const script = v2AgentScript().onPrompt(async (work) => {
      work.insert();
      await work.cancelled;
    });
    const { client } = await conversation(script);
    await client.prompt("go", { id: 1 });
    await client.request("session/close", { sessionId: "session-1" }, { id: 2 });
    expect(shortOf(client)).toEqual(["user_message", "running", "response 1", "idle cancelled", "response 2"]);
    expect((await client.prompt("again")).error).toMatchObject({ code: -32002, data: { sessionId: "session-1" } });
    expect((await client.request("session/list", {})).result).toEqual({
      sessions: [{ sessionId: "session-1", cwd: "/work" }],
    });
  });

  it("the script of the README edits with permission, and replays its saved session", async () => {
    const { client } = await conversation(readmeScript, v2ClientScript().onPermission("allow_once"));
    await client.prompt("edit it");
    expect(await client.idle()).toHaveStopped("end_turn");
    expect(client).toHaveReceived("session/update", { update: { status: "completed" } });
    expect(client).toHaveReceived("session/update", { update: { content: [{ text: "Saved." }] } });
    client.forget();
    await client.resumeSession({ sessionId: "saved" });
    expect(shortOf(client).slice(0, -1)).toEqual(["agent_message", "idle"]);
    expect(client).toHaveConformantDialogue();
  });

  it("refuses clients of version 1", async () => {
    const client = v2ClientScript().connect(v2AgentScript().inMemory().transport);
    const { error } = await client.initialize({ protocolVersion: 1 });
    expect(error).toMatchObject({ code: -32022, data: { requested: 1, supported: [2] } });
  });

  it("can hold responses, and send states in a wrong order", async () => {
    const script = v2AgentScript().onPrompt((work) => {
      work.state("_thinking");
      work.agent.notify("session/update", { sessionId: work.sessionId, update: { sessionUpdate: "state_update" } });
      work.message("late");
    });
    const { agent, client } = await conversation(script);
    const held = agent.hold("session/prompt");
    const response = client.prompt("go", { id: 1 });
    await held.waitFor(1);
    await client.idle();
    held.release();
    await response;
    expect(shortOf(client)).toEqual([
      "user_message",
      "running",
      "_thinking",
      "",
      "agent_message_chunk late",
      "idle end_turn",
      "response 1",
    ]);
    expect(() => expect(client).toHaveConformantDialogue()).toThrow(/session\/update.*state/);
  });
});

describe("a scripted client of version 2", () => {
  it("decides permission requests by their titles, and rejects by default", async () => {
    const outcomes: unknown[] = [];
    const script = v2AgentScript().onPrompt(async (work) => {
      for (const title of ["Read a.txt", "Delete a.txt", "Run ls"])
        outcomes.push((await work.requestPermission(title)).outcome);
    });
    const player = v2ClientScript().onPermission("Read", "allow_once").onPermission(/^Run/, "cancelled");
    const { agent, client } = await conversation(script, player);
    await client.prompt("go");
    await client.idle();
    expect(outcomes).toEqual([
      { outcome: "selected", optionId: "allow" },
      { outcome: "selected", optionId: "reject" },
      { outcome: "cancelled" },
    ]);
    expect(agent).toHaveConformantDialogue();
    expect(client).toHaveConformantDialogue();
  });

  it("runs its steps without further calls of the test", async () => {
    const agent = v2AgentScript()
      .onPrompt((work) => void work.message("Hi"))
      .inMemory();
    const client = v2ClientScript()
      .play(async (client) => {
        await client.initialize();
        await client.newSession({ cwd: "/a" });
        await client.prompt("hello");
        await client.idle();
      })
      .connect(agent.transport);
    await client.done;
    expect(agent).toHaveReceived("session/new", { cwd: "/a" });
    await client.close();
    await agent.close();
  });
});
