import type { ToolCallHandle } from "@acp-kit/agent";
import { deferred } from "@acp-kit/protocol/internal";
import { describe, expect, test } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { updatesOf } from "../../test/peers.js";
import { type AgentSetup, type ConnectedAgent, v2AgentSession } from "../../test/v2-agent.js";

/** An agent whose turn detaches one call, which the test ends. */
async function detaching({
  withTerminal = false,
  cancel,
  ...setup
}: AgentSetup & { withTerminal?: boolean; cancel?: (call: ToolCallHandle) => void } = {}): Promise<
  ConnectedAgent & { call: ToolCallHandle; exit: () => void }
> {
  const detached = deferred<{ call: ToolCallHandle; exit: () => void }>();
  const agent = await v2AgentSession({
    ...setup,
    definition: {
      prompt: async (turn) => {
        const call = turn.toolCall({ toolCallId: "c", title: "npm test", kind: "execute", status: "in_progress" });
        const terminal = withTerminal
          ? call.ownTerminal({ terminalId: "t", command: "npm test", cwd: "/work" })
          : undefined;
        call.detach(cancel && { cancel: () => cancel(call) });
        detached.resolve({ call, exit: () => void terminal?.exit({ exitCode: 0 }) });
      },
      ...setup.definition,
    },
  });
  agent.prompt("test");
  const parts = await detached.promise;
  await agent.until(`idle end_turn [${withTerminal ? "t" : "c"}]`);
  return { ...agent, ...parts };
}

describe("V2-REQ-17: the list of the background work", () => {
  test("has a detached call after it is announced, and until it is final", async () => {
    const { call, ...agent } = await detaching();
    await call.update({ title: "npm test, half" });
    await call.complete();
    await tick();
    expect(agent.log().filter((line) => !/^(user_message|response)/.test(line))).toEqual([
      "running",
      "tool_call_update c in_progress",
      "running [c]",
      "idle end_turn [c]",
      "tool_call_update c",
      "tool_call_update c completed",
      "idle",
    ]);
    expect(agent.states().at(-1)).toEqual({ sessionUpdate: "state_update", state: "idle", background: [] });
    expect(agent.diagnostics).toEqual([]);
  });

  test("has a command as its terminal, once, until it exits; then the call, until that is final", async () => {
    const { call, exit, ...agent } = await detaching({ withTerminal: true });
    expect(agent.states().at(-1)?.background).toEqual([{ type: "terminal", terminalId: "t" }]);
    exit();
    await tick();
    expect(agent.states().at(-1)?.background).toEqual([{ type: "tool_call", toolCallId: "c" }]);
    await call.complete();
    await tick();
    expect(agent.states().at(-1)?.background).toEqual([]);
    const kinds = updatesOf(agent.client).map(({ sessionUpdate, exitStatus }) => (exitStatus ? "exit" : sessionUpdate));
    expect(kinds.slice(kinds.indexOf("exit") - 1)).toEqual([
      ...["state_update", "exit", "state_update", "tool_call_update", "state_update"],
    ]);
  });

  test("has a call that was opened outside of turns", async () => {
    const agent = await v2AgentSession();
    const call = agent.connection.session("s").toolCall({ toolCallId: "c", title: "Index" });
    await tick();
    expect(agent.log()).toEqual(["tool_call_update c", "idle [c]"]);
    await call.complete();
    await tick();
    expect(agent.log().slice(2)).toEqual(["tool_call_update c completed", "idle"]);
  });

  test("follows the updates that are being persisted", async () => {
    const agent = await v2AgentSession({ definition: { beforeUpdate: () => Promise.resolve() } });
    agent.connection.session("s").toolCall({ toolCallId: "c", title: "Index" });
    await agent.until("idle [c]");
    expect(agent.log()).toEqual(["tool_call_update c", "idle [c]"]);
  });
});

describe("V2-REQ-16: cancelling a call of the background", () => {
  test("the call advertises it; the response comes before the end", async () => {
    const agent = await detaching({ cancel: (call) => void call.cancel() });
    expect(updatesOf(agent.client)).toContainEqual({
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      capabilities: { cancel: {} },
    });
    agent.client.forget();
    const id = agent.client.request("tool_call/cancel", { sessionId: "s", toolCallId: "c" }).id;
    await tick();
    expect(agent.log()).toEqual([`response ${id} {}`, "tool_call_update c cancelled", "idle"]);
  });

  test("a terminal is cancelled by its id", async () => {
    const agent = await detaching({ withTerminal: true, cancel: (call) => void call.cancel() });
    expect(updatesOf(agent.client)).toContainEqual({
      sessionUpdate: "terminal_update",
      terminalId: "t",
      capabilities: { cancel: {} },
    });
    agent.client.forget();
    const id = agent.client.request("terminal/cancel", { sessionId: "s", terminalId: "t" }).id;
    await tick();
    expect(agent.log()).toEqual([`response ${id} {}`, "tool_call_update c cancelled", "idle"]);
  });

  test("unknown, final and not cancellable work, and an unknown session, get an error", async () => {
    const cancel = (agent: ConnectedAgent, params: object): unknown =>
      agent.client.request("toolCallId" in params ? "tool_call/cancel" : "terminal/cancel", {
        sessionId: "s",
        ...params,
      }).id;
    const agent = await detaching({ withTerminal: true });
    const ids = [
      cancel(agent, { toolCallId: "c" }),
      cancel(agent, { toolCallId: "x" }),
      cancel(agent, { terminalId: "t" }),
      cancel(agent, { terminalId: "x" }),
    ];
    const unknown = cancel(agent, { sessionId: "x", toolCallId: "c" });
    agent.call.detach({ cancel: () => {} });
    await agent.call.complete();
    ids.push(cancel(agent, { toolCallId: "c" }), cancel(agent, { terminalId: "t" }));
    await tick();
    for (const id of ids) expect(agent.client.responseTo(id)?.error).toMatchObject({ code: -32602 });
    expect(agent.client.responseTo(unknown)?.error).toMatchObject({ code: -32002 });
  });

  test("session/cancel leaves it alone; closing the session cancels it and waits for its end", async () => {
    const cancelled: string[] = [];
    const agent = await detaching({
      cancel: (call) => {
        cancelled.push(call.id);
        setImmediate(() => void call.cancel());
      },
    });
    agent.client.notify("session/cancel", { sessionId: "s" });
    await tick();
    expect(cancelled).toEqual([]);
    agent.client.forget();
    const close = agent.client.request("session/close", { sessionId: "s" }).id;
    await agent.until(`response ${close} {}`);
    expect(cancelled).toEqual(["c"]);
    expect(agent.log()).toEqual(["tool_call_update c cancelled", "idle", `response ${close} {}`]);
  });

  test("the end of the connection cancels it", async () => {
    const cancelled = deferred<void>();
    const agent = await detaching({ cancel: () => cancelled.resolve() });
    await agent.client.close();
    await cancelled.promise;
  });
});

describe("V2-REQ-11: requires_action", () => {
  const question = { message: "Which?", fields: { name: { type: "string" } } } as const;

  test("while a permission request is open, and running afterwards", async () => {
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ toolCallId: "c", title: "Edit", kind: "edit", status: "in_progress" });
          const { allowed } = await turn.permit(call);
          await call.complete(String(allowed));
        },
      },
    });
    agent.prompt("edit");
    await tick();
    const { id, params } = agent.client.lastReceived("session/request_permission");
    expect(params).toMatchObject({
      title: "Edit",
      subject: { type: "tool_call", toolCall: { toolCallId: "c", title: "Edit", kind: "edit" } },
      options: [{ optionId: "allow_once" }, { optionId: "reject_once" }],
    });
    expect(agent.states().map(({ state }) => state)).toEqual(["running", "requires_action"]);
    agent.client.respond(id, { outcome: { outcome: "selected", optionId: "allow_once" } });
    await tick();
    expect(agent.states().map(({ state }) => state)).toEqual(["running", "requires_action", "running", "idle"]);
    expect(updatesOf(agent.client).at(-3)).toMatchObject({ content: { content: { text: "true" } } });
  });

  test("not while another call of the work is in progress, but when that has ended", async () => {
    const other = deferred<void>();
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          const build = turn.toolCall({ title: "Build", status: "in_progress" });
          const asked = turn.permit(turn.toolCall({ title: "Edit", kind: "edit" }));
          await other.promise;
          await build.complete();
          await asked;
        },
      },
    });
    agent.prompt("edit");
    await tick();
    expect(agent.states().map(({ state }) => state)).toEqual(["running"]);
    other.resolve();
    await tick();
    expect(agent.states().map(({ state }) => state)).toEqual(["running", "requires_action"]);
    agent.client.respond(agent.client.lastReceived("session/request_permission").id, {
      outcome: { outcome: "cancelled" },
    });
    await tick();
  });

  test("while a form of the turn is open", async () => {
    const agent = await v2AgentSession({
      definition: { prompt: async (turn) => void (await turn.message((await turn.elicit(question)).action)) },
    });
    agent.prompt("ask");
    await tick();
    expect(agent.states().at(-1)).toMatchObject({ state: "requires_action" });
    agent.client.respond(agent.client.lastReceived("elicitation/create").id, { action: "_other" });
    await tick();
    expect(agent.log().slice(-3)).toEqual(["running", "agent_message_chunk cancel", "idle end_turn"]);
  });

  test("not for questions of detached calls, and of the session outside of turns", async () => {
    const { call, ...agent } = await detaching();
    agent.client.forget();
    const decision = call.requestPermission();
    const answer = agent.connection.session("s").elicit(question);
    await tick();
    expect(agent.states()).toEqual([]);
    agent.client.respond(agent.client.lastReceived("session/request_permission").id, {
      outcome: { outcome: "_maybe", optionId: "allow_once" },
    });
    agent.client.respond(agent.client.lastReceived("elicitation/create").id, { action: "decline" });
    expect(await decision).toMatchObject({ allowed: false, by: "none" });
    expect(await answer).toEqual({ action: "decline" });
  });
});

describe("V2-REQ-18: work that no prompt has requested", () => {
  test("has states, and session/cancel ends it", async () => {
    const agent = await v2AgentSession();
    const done = agent.connection.session("s").work(async (work) => {
      await work.message("Tests passed");
      await new Promise((resolve) => work.signal.addEventListener("abort", resolve));
    });
    await tick();
    expect(agent.log()).toEqual(["running", "agent_message_chunk Tests passed"]);
    const held = agent.prompt("next");
    await tick();
    expect(agent.client.responseTo(held)).toBeUndefined();
    agent.client.notify("session/cancel", { sessionId: "s" });
    expect(await done).toEqual({ stopReason: "cancelled" });
    await tick();
    expect(agent.states().at(-1)).toMatchObject({ state: "idle", stopReason: "cancelled" });
    expect(agent.client.responseTo(held)?.error).toMatchObject({ code: -32800 });
  });

  test("during a turn, it is part of the turn, which ends after it", async () => {
    const gate = deferred<void>();
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          await turn.work(async (work) => void (await work.message("awaited")));
          void turn.work(async (work) => {
            await gate.promise;
            await work.message("joined");
          });
        },
      },
    });
    agent.prompt("hi");
    await tick();
    gate.resolve();
    await agent.until("idle end_turn");
    const lines = agent.log().filter((line) => !/^(user_message|response)/.test(line));
    expect(lines).toEqual([
      ...["running", "agent_message_chunk awaited", "agent_message_chunk joined", "idle end_turn"],
    ]);
    expect(agent.diagnostics).toEqual([]);
  });

  test("its failure is idle with an error, and rejects the promise", async () => {
    const agent = await v2AgentSession();
    const done = agent.connection.session("s").work(async (work) => {
      await work.message("begin");
      throw new Error("failed");
    });
    await expect(done).rejects.toThrow("failed");
    await tick();
    expect(agent.log().at(-1)).toBe("idle error");
  });

  test("on version 1, its updates are sent outside of turns, and prompts wait for its end", async () => {
    const gate = deferred<void>();
    const agent = await v2AgentSession({
      version: 1,
      definition: { prompt: async (turn) => void turn.message("turn") },
    });
    const done = agent.connection.session("s").work(async (work) => {
      await work.message("work");
      await gate.promise;
    });
    const prompt = agent.prompt("hi");
    await tick();
    expect(agent.log()).toEqual(["agent_message_chunk work"]);
    gate.resolve();
    expect(await done).toEqual({ stopReason: "end_turn" });
    await tick();
    expect(agent.log().slice(1)).toEqual(["agent_message_chunk turn", `response ${prompt} {"stopReason":"end_turn"}`]);
  });
});
