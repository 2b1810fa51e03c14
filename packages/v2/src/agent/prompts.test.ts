import type { Turn } from "@acp-kit/agent";
import { authRequired } from "@acp-kit/protocol";
import { deferred } from "@acp-kit/protocol/internal";
import { describe, expect, test } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { updatesOf } from "../../test/peers.js";
import { v2AgentSession } from "../../test/v2-agent.js";

test("V2-REQ-10, V2-REQ-11: user message, running, response, output and idle, in this order", async () => {
  const agent = await v2AgentSession({
    definition: {
      prompt: async (turn) => {
        await turn.message("one");
        await turn.message("two");
        return "max_tokens";
      },
    },
  });
  const id = agent.prompt("hi");
  await tick();
  expect(agent.log().filter((line) => !line.startsWith("response"))).toEqual([
    "user_message",
    "running",
    "agent_message_chunk one",
    "agent_message_chunk two",
    "idle max_tokens",
  ]);
  const [message, , first, second] = updatesOf(agent.client);
  expect(message).toEqual({
    sessionUpdate: "user_message",
    messageId: expect.any(String),
    content: [{ type: "text", text: "hi" }],
  });
  expect(agent.client.responseTo(id)?.result).toEqual({ messageId: message?.messageId });
  expect(first?.messageId).toBe(second?.messageId);
  expect(agent.states().map(({ background }) => background)).toEqual([[], []]);
});

test("V2-REQ-11: a new session has no state, and the response follows the insertion before later output", async () => {
  const gate = deferred<void>();
  const agent = await v2AgentSession({
    definition: {
      prompt: async (turn) => {
        await gate.promise;
        await turn.message("late");
      },
    },
  });
  expect(updatesOf(agent.client)).toEqual([]);
  agent.prompt("hi");
  await tick();
  expect(agent.log()).toEqual(["user_message", "running", expect.stringMatching(/^response 3 \{"messageId":/)]);
  gate.resolve();
  await tick();
  expect(agent.log().slice(3)).toEqual(["agent_message_chunk late", "idle end_turn"]);
});

describe("V2-REQ-09: errors", () => {
  const failing: Record<string, (turn: Turn) => Promise<void>> = {
    "a handler that throws synchronously": () => {
      throw authRequired();
    },
    "a handler that throws before it waits for anything": async () => {
      throw authRequired();
    },
  };
  for (const [name, prompt] of Object.entries(failing))
    test(`${name} gets an error response, and the conversation does not contain the prompt`, async () => {
      const agent = await v2AgentSession({ definition: { prompt } });
      agent.prompt("hi");
      await tick();
      expect(agent.log()).toEqual(["error -32000"]);
      agent.client.forget();
      agent.prompt("again");
      await tick();
      expect(agent.log()).toEqual(["error -32000"]);
    });

  test("a failure after the insertion is idle with the error, without details of the handler", async () => {
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          await turn.message("so far");
          throw new Error("/secret/path");
        },
      },
    });
    const id = agent.prompt("hi");
    await tick();
    expect(agent.client.responseTo(id)).toHaveProperty("result.messageId");
    expect(agent.states().at(-1)).toMatchObject({
      state: "idle",
      stopReason: "error",
      error: { code: -32603, message: "Internal error" },
    });
    expect(agent.diagnostics.map(({ code }) => code)).toContain("handler_failed");
  });

  test("an RpcError after the insertion keeps its code and data", async () => {
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          void turn.message("so far");
          throw authRequired("log in");
        },
      },
    });
    agent.prompt("hi");
    await tick();
    expect(agent.log().at(-1)).toBe("idle error");
    expect(agent.states().at(-1)).toMatchObject({ error: { code: -32000, message: "log in" } });
  });

  test("content that the agent does not accept, and an unknown session, get an error response", async () => {
    const agent = await v2AgentSession();
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const first = agent.client.request("session/prompt", { sessionId: "s", prompt: [image] }).id;
    const second = agent.client.request("session/prompt", {
      sessionId: "x",
      prompt: [{ type: "text", text: "hi" }],
    }).id;
    const third = agent.client.request("session/prompt", { sessionId: "s", prompt: [] }).id;
    await tick();
    expect(agent.client.responseTo(first)?.error).toMatchObject({ code: -32602 });
    expect(agent.client.responseTo(second)?.error).toMatchObject({ code: -32002, data: { sessionId: "x" } });
    expect(agent.client.responseTo(third)?.error).toMatchObject({ code: -32602 });
    expect(updatesOf(agent.client)).toEqual([]);
  });
});

describe("several prompts", () => {
  test("queue: the second prompt is held until the work before it has ended, and each has its own end", async () => {
    const gates = [deferred<void>(), deferred<void>()];
    let turns = 0;
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          const gate = gates[turns];
          turns += 1;
          await gate?.promise;
          await turn.message(turn.text);
        },
      },
    });
    agent.prompt("a");
    const second = agent.prompt("b");
    await tick();
    expect(agent.client.responseTo(second)).toBeUndefined();
    gates[0]?.resolve();
    await tick();
    await tick();
    expect(agent.client.responseTo(second)).toHaveProperty("result.messageId");
    gates[1]?.resolve();
    await tick();
    expect(agent.log().filter((line) => !line.startsWith("response"))).toEqual([
      ...["user_message", "running", "agent_message_chunk a", "idle end_turn"],
      ...["user_message", "running", "agent_message_chunk b", "idle end_turn"],
    ]);
  });

  test("merge: both prompts have a user message and a response, and one end", async () => {
    const gate = deferred<void>();
    const agent = await v2AgentSession({
      options: { concurrentPrompts: "merge" },
      definition: {
        prompt: async (turn) => {
          turn.onPrompt(() => void turn.message("steered"));
          await gate.promise;
        },
      },
    });
    const first = agent.prompt("a");
    await tick();
    const second = agent.prompt("b");
    await tick();
    gate.resolve();
    await tick();
    expect(agent.log().filter((line) => !line.startsWith("response"))).toEqual([
      "user_message",
      "running",
      "user_message",
      "agent_message_chunk steered",
      "idle end_turn",
    ]);
    const ids = [first, second].map((id) => agent.client.responseTo(id)?.result);
    const messages = updatesOf(agent.client).filter(({ sessionUpdate }) => sessionUpdate === "user_message");
    expect(ids).toEqual(messages.map(({ messageId }) => ({ messageId })));
  });

  test("reject: the second prompt gets -32600 and no user message", async () => {
    const gate = deferred<void>();
    const agent = await v2AgentSession({
      options: { concurrentPrompts: "reject" },
      definition: { prompt: async () => gate.promise },
    });
    agent.prompt("a");
    await tick();
    const second = agent.prompt("b");
    await tick();
    expect(agent.client.responseTo(second)?.error).toMatchObject({ code: -32600 });
    gate.resolve();
    await tick();
    expect(agent.log().filter((line) => line === "user_message")).toHaveLength(1);
  });
});

describe("cancelling", () => {
  const untilAborted = (turn: Turn): Promise<void> =>
    new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(turn.signal.reason)));

  test("V2-REQ-14: the work ends with idle cancelled, although the handler throws another error", async () => {
    const agent = await v2AgentSession({
      definition: { prompt: async (turn) => untilAborted(turn).catch(() => Promise.reject(new Error("stopped"))) },
    });
    agent.prompt("a");
    await tick();
    agent.client.notify("session/cancel", { sessionId: "s" });
    await tick();
    expect(agent.log().at(-1)).toBe("idle cancelled");
  });

  test("V2-REQ-14: the work ends, although the handler ignores the signal", async () => {
    const agent = await v2AgentSession({
      options: { cancelGraceMs: 0 },
      definition: { prompt: () => new Promise(() => {}) },
    });
    agent.prompt("a");
    await tick();
    agent.client.notify("session/cancel", { sessionId: "s" });
    await agent.until("idle cancelled");
    expect(agent.log().at(-1)).toBe("idle cancelled");
  });

  test("V2-REQ-14: open requests of the work get $/cancel_request, and their answers are not awaited", async () => {
    const agent = await v2AgentSession({
      options: { limits: { cancelTimeoutMs: 0 } },
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ title: "Edit a.ts", kind: "edit" });
          const { allowed } = await turn.permit(call);
          await turn.message(String(allowed));
        },
      },
    });
    agent.prompt("a");
    await tick();
    const { id } = agent.client.lastReceived("session/request_permission");
    agent.client.notify("session/cancel", { sessionId: "s" });
    await agent.until("idle cancelled");
    expect(agent.client.receivedSoFar()).toContainEqual({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: { requestId: id },
    });
    const calls = updatesOf(agent.client).filter(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
    expect(calls.at(-1)).toMatchObject({ status: "cancelled" });
    expect(agent.log().at(-1)).toBe("idle cancelled");
  });

  test("held prompts get -32800; a prompt that was inserted keeps its response", async () => {
    const agent = await v2AgentSession({ definition: { prompt: untilAborted } });
    const first = agent.prompt("a");
    const second = agent.prompt("b");
    await tick();
    agent.client.notify("session/cancel", { sessionId: "s" });
    await tick();
    expect(agent.client.responseTo(first)).toHaveProperty("result.messageId");
    expect(agent.client.responseTo(second)?.error).toMatchObject({ code: -32800 });
    expect(agent.log().filter((line) => line === "user_message")).toHaveLength(1);
  });

  test("$/cancel_request withdraws a held prompt, and leaves the running one alone", async () => {
    const gate = deferred<void>();
    const agent = await v2AgentSession({ definition: { prompt: async () => gate.promise } });
    agent.prompt("a");
    const second = agent.prompt("b");
    await tick();
    agent.client.notify("$/cancel_request", { requestId: second });
    await tick();
    expect(agent.client.responseTo(second)?.error).toMatchObject({ code: -32800 });
    expect(agent.states().at(-1)).toMatchObject({ state: "running" });
    gate.resolve();
    await tick();
    expect(agent.log().at(-1)).toBe("idle end_turn");
  });
});

describe("V2-REQ-13: closing a session", () => {
  test("during its work: final updates, idle cancelled, response, silence; held prompts get -32800", async () => {
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          turn.toolCall({ title: "Test", status: "in_progress", toolCallId: "c" });
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
          await turn.message("last words");
        },
      },
    });
    agent.prompt("a");
    const held = agent.prompt("b");
    await tick();
    agent.client.forget();
    const close = agent.client.request("session/close", { sessionId: "s" }).id;
    await tick();
    await tick();
    expect(agent.client.responseTo(held)?.error).toMatchObject({ code: -32800 });
    const log = agent.log().filter((line) => !line.startsWith("error"));
    expect(log).toEqual([
      "agent_message_chunk last words",
      "tool_call_update c cancelled",
      "idle cancelled",
      `response ${close} {}`,
    ]);
    await agent.connection.session("s").message("too late");
    await tick();
    expect(updatesOf(agent.client).at(-1)).toMatchObject({ state: "idle" });
  });

  test("an unknown session, and one without work, has no state", async () => {
    const agent = await v2AgentSession();
    agent.client.request("session/close", { sessionId: "nobody" });
    agent.client.request("session/close", { sessionId: "s" });
    await tick();
    await tick();
    expect(agent.log()).toEqual(["response 3 {}", "response 4 {}"]);
    const prompt = agent.prompt("hi");
    await tick();
    expect(agent.client.responseTo(prompt)?.error).toMatchObject({ code: -32002 });
  });
});

describe("closing the connection", () => {
  test("waits for the end of cancelled work, and refuses what was held", async () => {
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          await turn.message("one");
          await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => setImmediate(resolve)));
          await turn.message("two");
        },
      },
    });
    agent.prompt("first");
    await tick();
    const held = agent.prompt("second");
    await tick();
    agent.client.forget();
    await agent.connection.close();
    expect(agent.client.responseTo(held)?.error?.code).toBe(-32800);
    expect(agent.log()).toEqual(["error -32800", "agent_message_chunk two", "idle cancelled"]);
  });

  test("waits no longer than drainTimeoutMs for a handler that ignores the cancellation", async () => {
    const agent = await v2AgentSession({
      definition: {
        prompt: async (turn) => {
          await turn.message("one");
          await new Promise(() => {});
        },
      },
    });
    agent.prompt("first");
    await tick();
    await agent.connection.close({ drainTimeoutMs: 1 });
    expect(agent.states().map(({ state }) => state)).toEqual(["running"]);
  });
});
