import { describe, expect, expectTypeOf, it } from "vitest";
import { agentScript } from "../script/agent-script.js";
import { clientScript } from "../script/client-script.js";
import { type AcpMatchers, acpMatchers } from "./index.js";

expect.extend(acpMatchers);

declare module "vitest" {
  interface Matchers<T> extends AcpMatchers<T> {}
}

async function conversation() {
  const agent = agentScript()
    .onPrompt("stop", () => "max_tokens")
    .onPrompt("fail", () => Promise.reject(new Error("oh")))
    .onPrompt((turn) => turn.message("Hello"))
    .inMemory();
  const client = clientScript().connect(agent.transport);
  await client.initialize();
  await client.newSession();
  return { agent, client };
}

/** The message of a failing expectation. */
function failureOf(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It did not fail");
}

describe("toHaveReceived and toHaveSent", () => {
  it("search for a message with a method and with members of its params", async () => {
    const { agent, client } = await conversation();
    await client.prompt("hello");
    expect(agent).toHaveReceived("session/prompt");
    expect(agent).toHaveReceived("session/prompt", { prompt: [{ text: "hello" }] });
    expect(agent).toHaveReceived("session/new", { cwd: expect.stringContaining("/") });
    expect(agent).not.toHaveReceived("session/prompt", { prompt: [{ text: "bye" }] });
    expect(agent).not.toHaveReceived("session/prompt", { prompt: [] });
    expect(agent).not.toHaveReceived("session/update");
    expect(agent).toHaveSent("session/update", { update: { content: { text: "Hello" } } });
    expect(client).toHaveReceived("session/update", { sessionId: "session-1" });
  });

  it("print the params of messages with that method and the whole conversation if they fail", async () => {
    const { agent } = await conversation();
    expect(failureOf(() => expect(agent).toHaveReceived("session/new", { cwd: "/other" }))).toMatchInlineSnapshot(`
      "Expected the scripted agent to have received session/new with {"cwd":"/other"}; the messages with that method had the params {"cwd":"/work","mcpServers":[]}.

      client → initialize "client-1" {"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"script","version":"1.0.0"}}
      agent  ← result of initialize "client-1" {"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"name":"script","version":"1.0.0"},"authMe…
      client → session/new "client-2" {"cwd":"/work","mcpServers":[]}
      agent  ← result of session/new "client-2" {"sessionId":"session-1"}"
    `);
    expect(failureOf(() => expect(agent).toHaveSent("session/update"))).toContain(
      "Expected the scripted agent to have sent session/update; no message with that method was found.",
    );
    expect(failureOf(() => expect(agent).not.toHaveReceived("session/new"))).toContain(
      "Expected the scripted agent not to have received session/new.",
    );
    expect(() => expect({}).toHaveReceived("session/new")).toThrow(TypeError);
  });
});

describe("toHaveStopped", () => {
  it("looks at a response, a result, or the last turn that a peer has seen", async () => {
    const { agent, client } = await conversation();
    expect(failureOf(() => expect(client).toHaveStopped("end_turn"))).toContain("no turn has ended");
    const response = await client.prompt("stop");
    expect(response).toHaveStopped("max_tokens");
    expect(response.result).toHaveStopped("max_tokens");
    expect(client).toHaveStopped("max_tokens");
    expect(agent).toHaveStopped("max_tokens");
    expect(response).not.toHaveStopped("end_turn");
    expect(failureOf(() => expect(response).toHaveStopped("end_turn"))).toContain('it stopped with "max_tokens"');
    const failed = await client.prompt("fail");
    expect(failureOf(() => expect(failed).toHaveStopped("end_turn"))).toContain("it failed: ");
  });
});

describe("toBeConformantMessage", () => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
  const notification = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } };

  it("accepts messages that conform to stable version 1", () => {
    expect(notification).toBeConformantMessage();
    expect(notification).toBeConformantMessage({ from: "agent" });
    expect({ jsonrpc: "2.0", id: 1, result: { sessionId: "s" } }).toBeConformantMessage({ responseTo: "session/new" });
    expect({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } }).toBeConformantMessage();
    expect({ jsonrpc: "2.0", method: "_ours", params: 5 }).toBeConformantMessage();
  });

  it.each<[string, unknown, object, string]>([
    ["not a message", 5, {}, "it is not a JSON-RPC message"],
    ["no version", { method: "session/update", params: notification.params }, {}, '`jsonrpc` must be "2.0"'],
    ["the wrong side", notification, { from: "client" }, "client has no method session/update to call"],
    ["an unknown method", { jsonrpc: "2.0", method: "session/foo" }, {}, "agent or client has no method session/foo"],
    [
      "a wrong id",
      { jsonrpc: "2.0", id: 1.5, method: "initialize", params: { protocolVersion: 1 } },
      {},
      "`id` must be",
    ],
    ["wrong params", { ...notification, params: { sessionId: 5, update } }, {}, "params: sessionId: must be a string"],
    [
      "a wrong result",
      { jsonrpc: "2.0", id: 1, result: {} },
      { responseTo: "session/new" },
      "result: sessionId: must be present",
    ],
    [
      "a result without a request",
      { jsonrpc: "2.0", id: 1, result: {} },
      {},
      "pass the method: { responseTo: method }",
    ],
    [
      "both",
      { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } },
      { responseTo: "logout" },
      "not both",
    ],
    ["a wrong error", { jsonrpc: "2.0", id: 1, error: { code: "x" } }, {}, "`error` must have an integer `code`"],
  ])("fails %s, and gives the reason", (_name, message, context, why) => {
    expect(message).not.toBeConformantMessage(context);
    expect(failureOf(() => expect(message).toBeConformantMessage(context))).toContain(why);
  });
});

describe("toHaveConformantDialogue", () => {
  it("validates everything that the other side has sent", async () => {
    const { agent, client } = await conversation();
    await client.prompt("hello");
    expect(client).toHaveConformantDialogue();
    expect(agent).toHaveConformantDialogue();
    agent.sendLine("Welcome!");
    agent.notify("session/update", { sessionId: "session-1", update: { sessionUpdate: "plan", entries: 5 } });
    agent.respond("nobody", {});
    await agent.fence();
    expect(client).not.toHaveConformantDialogue();
    expect(client).toHaveConformantDialogue({ from: "client" });
    const [, ...faults] = failureOf(() => expect(client).toHaveConformantDialogue()).split("\n");
    expect(faults.slice(0, 3)).toEqual([
      'message 7: it is not a JSON-RPC message: "Welcome!"',
      "message 8, session/update: params: update.entries: must be an array",
      "message 9, response: it belongs to no open request; pass the method: { responseTo: method }",
    ]);
  });
});

it("a response belongs to the request before it, even if another request had the same id", async () => {
  const { client } = await conversation();
  await client.request("initialize", { protocolVersion: 1 }, { id: 1 });
  await client.request("session/new", { cwd: "/work", mcpServers: [] }, { id: 1 });
  await client.prompt("stop", { id: 1 });
  await client.request("session/new", { cwd: "/work", mcpServers: [] }, { id: 1 });
  expect(client).toHaveConformantDialogue();
  expect(client).toHaveStopped("max_tokens");
});

it("the matchers check their arguments at compile time", () => {
  expectTypeOf(expect({}).toHaveStopped).parameters.toEqualTypeOf<
    ["end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled"]
  >();
  expectTypeOf(expect({}).toHaveReceived).parameters.toEqualTypeOf<[method: string, params?: object | undefined]>();
  // @ts-expect-error a stop reason that the protocol doesn't have
  const wrong = () => expect({}).toHaveStopped("done");
  // @ts-expect-error there are two sides
  const nobody = () => expect({}).toBeConformantMessage({ from: "server" });
  expect([wrong, nobody]).toHaveLength(2);
});
