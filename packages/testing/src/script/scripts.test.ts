import { linkedTransports, RpcError } from "@acp-kit/jsonrpc";
import { Peer, v1Client } from "@acp-kit/protocol";
import { describe, expect, it } from "vitest";
import { createClock } from "../clock.js";
import { dialogue } from "../dialogue.js";
import { agentScript } from "./agent-script.js";
import { clientScript } from "./client-script.js";
import { noResponse } from "./scripted-peer.js";

/** A scripted client that has opened a session with a scripted agent. */
async function conversation(script = agentScript(), player = clientScript()) {
  const agent = script.inMemory();
  const client = player.connect(agent.transport);
  await client.initialize();
  await client.newSession();
  return { agent, client };
}

describe("an agent's script", () => {
  it("responds to initialize, session/new and prompts by default", async () => {
    const { client } = await conversation();
    expect((await client.newSession()).result).toEqual({ sessionId: "session-2" });
    expect((await client.prompt("anything")).result).toEqual({ stopReason: "end_turn" });
  });

  it("runs the first handler whose words match, else the handler for any prompt", async () => {
    const script = agentScript()
      .onPrompt((turn) => turn.message("else"))
      .onPrompt(/^fix (\w+)/, (turn) => turn.message("a pattern"))
      .onPrompt("fix", (turn) => turn.message("words"));
    const { client } = await conversation(script);
    for (const prompt of ["please fix", "fix it", "hello"]) await client.prompt(prompt);
    const texts = client
      .receivedSoFar("session/update")
      .map(({ params }) => JSON.stringify(params).match(/"text":"(.*?)"/)?.[1]);
    expect(texts).toEqual(["words", "a pattern", "else"]);
  });

  it("sends updates of a turn, and sends requests to the client", async () => {
    const script = agentScript().onPrompt(async (turn) => {
      turn.plan("look", { content: "fix", status: "in_progress" });
      turn.thought("hm");
      const call = turn.toolCall("Fix a.ts");
      const { content } = await turn.request("fs/read_text_file", { path: "/work/a.ts" });
      const { outcome } = await turn.requestPermission(call);
      turn.toolCallUpdate(call, { status: outcome.outcome === "selected" ? "completed" : "failed" });
      turn.message(content);
    });
    const player = clientScript().on("fs/read_text_file", { content: "source" }).onPermission(/^Fix/, "allow_once");
    const { client } = await conversation(script, player);
    await client.prompt("go");
    const kinds = client
      .receivedSoFar("session/update")
      .map(({ params }) => (params as { update: { sessionUpdate: string } }).update.sessionUpdate);
    expect(kinds).toEqual(["plan", "agent_thought_chunk", "tool_call", "tool_call_update", "agent_message_chunk"]);
    expect((await client.received("session/request_permission")).params.toolCall.toolCallId).toBe("call-1");
    expect(client.receivedSoFar().at(-2)).toMatchObject({ params: { update: { content: { text: "source" } } } });
  });

  it("ends a cancelled turn as cancelled, by default", async () => {
    const { agent, client } = await conversation(agentScript().onPrompt((turn) => turn.cancelled));
    const response = client.prompt("wait");
    await agent.received("session/prompt");
    client.cancel();
    expect((await response).result).toEqual({ stopReason: "cancelled" });
  });

  it("may respond with any result, refuse, respond early, or not at all", async () => {
    const script = agentScript()
      .onPrompt("usage", () => ({ stopReason: "max_tokens", _meta: { used: 5 } }))
      .onPrompt("no", () => {
        throw new RpcError(-32000, "Log in first", { data: 5 });
      })
      .onPrompt("early", (turn) => {
        turn.stop("refusal");
        turn.message("late");
      })
      .onPrompt("never", () => noResponse);
    const { agent, client } = await conversation(script);
    const never = client.prompt("never");
    expect((await client.prompt("usage")).result).toEqual({ stopReason: "max_tokens", _meta: { used: 5 } });
    expect((await client.prompt("no")).error).toEqual({ code: -32000, message: "Log in first", data: 5 });
    expect((await client.prompt("early")).result).toEqual({ stopReason: "refusal" });
    await client.fence();
    expect(client.receivedSoFar("session/update")).toHaveLength(1);
    await agent.close();
    await expect(never).rejects.toThrow(
      /waited for the response to session\/prompt "client-3", which did not come: the other side ended/,
    );
  });

  it("reports errors of its own code: to the peer as an error, and to the caller of close", async () => {
    const { agent, client } = await conversation(
      agentScript().onPrompt(() => {
        expect("this").toBe("that");
      }),
    );
    expect((await client.prompt("go")).error).toMatchObject({ code: -32603 });
    expect(agent.failures).toHaveLength(1);
    await expect(agent.close()).rejects.toThrow("expected 'this' to be 'that'");
  });

  it("runs from the start each time, with the same ids", async () => {
    const script = agentScript();
    for (let time = 0; time < 2; time += 1) {
      const { client } = await conversation(script);
      expect(client.receivedSoFar().at(-1)).toMatchObject({ id: "client-2", result: { sessionId: "session-1" } });
    }
  });

  it("runs over any transport, and throws if the transport can't send text", async () => {
    const [ours, theirs] = linkedTransports();
    const agent = agentScript()
      .onPrompt((turn) => turn.message("hello"))
      .connect(theirs);
    const client = new Peer(ours, v1Client);
    client.connection.listen();
    await client.request("initialize", { protocolVersion: 1 });
    expect(await client.request("session/new", { cwd: "/work", mcpServers: [] })).toEqual({ sessionId: "session-1" });
    agent.sendLine('{"jsonrpc":"2.0","method":"_x"}');
    expect(() => agent.sendLine("Welcome!")).toThrow(
      /can't write "Welcome!", which is not JSON: use one of openMemoryPair/,
    );
    expect(() => agent.sendText("{")).toThrow(TypeError);
    await client.connection.close();
    expect(await agent.closed).toEqual({ how: "ended" });
  });
});

describe("a client's script", () => {
  it("runs its steps without further calls of the test", async () => {
    const agent = agentScript().inMemory();
    const client = clientScript()
      .initialize({ clientCapabilities: { terminal: true } })
      .play(async (client) => {
        await client.initialize();
        await client.newSession({ cwd: "/elsewhere" });
        await client.prompt("hello");
      })
      .connect(agent.transport);
    await client.done;
    expect((await agent.received("initialize")).params.clientCapabilities).toEqual({ terminal: true });
    expect((await agent.received("session/new")).params.cwd).toBe("/elsewhere");
    expect((await agent.received("session/prompt")).params).toEqual({
      sessionId: "session-1",
      prompt: [{ type: "text", text: "hello" }],
    });
  });

  it("reports errors of its steps", async () => {
    const agent = agentScript().inMemory();
    const client = clientScript()
      .play(() => Promise.reject(new Error("not what I expected")))
      .connect(agent.transport);
    await expect(client.done).rejects.toThrow("not what I expected");
    await expect(client.close()).rejects.toThrow("not what I expected");
  });

  it.each([
    ["cancelled" as const, { outcome: "cancelled" }],
    [undefined, { outcome: "selected", optionId: "reject" }],
    ["reject_once" as const, { outcome: "selected", optionId: "reject" }],
    ["allow_always" as const, { outcome: "cancelled" }],
    [{ optionId: "other" }, { outcome: "selected", optionId: "other" }],
  ])("decides permission requests: %j", async (choice, outcome) => {
    const script = agentScript().onPrompt(async (turn) => void (await turn.requestPermission(turn.toolCall("Do it"))));
    const user = clientScript().onPermission("Other", "allow_once");
    const { agent, client } = await conversation(script, choice === undefined ? user : user.onPermission(choice));
    await client.prompt("go");
    expect(agent.receivedSoFar().at(-1)).toMatchObject({ result: { outcome } });
  });
});

it("a peer's message without params is not a failure of the script", async () => {
  const { agent, client } = await conversation();
  expect((await client.request("session/prompt")).error?.code).toBe(-32602);
  client.notify("session/cancel");
  expect((await agent.request("session/request_permission")).error?.code).toBe(-32602);
  agent.notify("session/update");
  await Promise.all([agent.fence(), client.fence()]);
  await client.close();
  await agent.close();
});

it("a client decides permission requests by the titles of tool calls, even if its script handles updates itself", async () => {
  const script = agentScript().onPrompt(async (turn) => {
    const { outcome } = await turn.requestPermission(turn.toolCall("Edit a.ts"));
    turn.message(outcome.outcome);
  });
  const updates: unknown[] = [];
  const player = clientScript()
    .on("session/update", ({ params }) => void updates.push(params.update))
    .onPermission(/^Edit/, "allow_once");
  const { client } = await conversation(script, player);
  await client.prompt("go");
  expect(updates.at(-1)).toMatchObject({ content: { text: "selected" } });
});

describe("a test that controls a peer", () => {
  it("waits without a limit, and refuses a limit that is no number", async () => {
    const { client } = await conversation(agentScript().onPrompt((turn) => turn.message("one")));
    const unlimited = client.received("session/update", { timeoutMs: Number.POSITIVE_INFINITY });
    await new Promise((resolve) => setTimeout(resolve, 20)); // a timer of infinite time would end after 1 ms
    await client.prompt("go");
    expect(await unlimited).toMatchObject({ method: "session/update" });
    expect(() => client.received("session/update", { timeoutMs: Number.NaN })).toThrow(TypeError);
  });

  it("receives the messages of a method one after the other, in order", async () => {
    const { client } = await conversation(
      agentScript().onPrompt((turn) => {
        turn.message("one");
        turn.message("two");
      }),
    );
    await client.prompt("go");
    const first = await client.received("session/update");
    const second = await client.received("session/update");
    expect([first, second].map(({ params }) => (params.update as { content: { text: string } }).content.text)).toEqual([
      "one",
      "two",
    ]);
    await expect(client.received("session/update", { timeoutMs: 1 })).rejects.toThrow(
      /client waited for session\/update, which did not come: 1 ms have passed without such a message. The messages were:\nclient → initialize "client-1"/,
    );
    const third = client.received((message) => JSON.stringify(message).includes("three"));
    void client.prompt("three");
    await client.close();
    await expect(third).rejects.toThrow("the script closed the connection");
    await expect(client.received("anything")).rejects.toThrow("which did not come");
  });

  it("can hold responses and release them", async () => {
    const { agent, client } = await conversation();
    const held = agent.hold("session/new");
    const responses = [client.newSession(), client.newSession(), client.newSession()];
    await held.waitFor(3);
    await client.fence(); // a response to another request isn't held
    expect(held.waiting).toBe(3);
    held.release();
    expect((await responses[0])?.result).toEqual({ sessionId: "session-2" });
    held.stop();
    await Promise.all(responses);
    expect((await client.newSession()).result).toEqual({ sessionId: "session-5" });
  });

  it("doesn't wait for held responses when the connection has ended", async () => {
    const { agent, client } = await conversation();
    const held = agent.hold("session/new");
    const two = held.waitFor(2);
    void client.newSession().catch(() => {}); // never gets its response
    await held.waitFor(1);
    await client.close();
    await expect(two).rejects.toThrow(
      "Only 1 of 2 responses to session/new were held back: the other side ended its output",
    );
    await held.waitFor(1);
    await expect(agent.hold("session/load").waitFor(1)).rejects.toThrow("Only 0 of 1 responses to session/load");
  });

  it("states why the connection broke", async () => {
    const { agent, client } = await conversation(agentScript().onPrompt(() => noResponse));
    const response = client.prompt("hello");
    await agent.received("session/prompt");
    const cause = new Error("cable cut");
    agent.break(cause);
    await expect(response).rejects.toMatchObject({
      message: expect.stringContaining("the connection broke: cable cut"),
      cause,
    });
  });

  it("sends requests with any JSON value as id, and cancels them", async () => {
    const script = agentScript().on(
      "_wait",
      ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({ done: true }))),
    );
    const { client } = await conversation(script);
    for (const id of [{ a: [1] }, [null], true, 1.5]) {
      const response = client.request("_wait", {}, { id: id as never });
      client.notify("$/cancel_request", { requestId: id });
      expect(await response).toEqual({ jsonrpc: "2.0", id, result: { done: true } });
    }
    expect(dialogue(client.seen)).toContain('agent  ← result of _wait {"a":[1]} {"done":true}');
  });

  it("can send invalid messages: values, lines, incomplete text, duplicates, responses without a request", async () => {
    const { agent, client } = await conversation();
    agent.sendValue([1, 2]);
    agent.sendLine("Welcome!");
    agent.sendText('{"jsonrpc":"2.0",');
    agent.sendText('"method":"_torn"}\n');
    agent.respond("client-1", { again: true });
    agent.refuse("unknown", 1);
    agent.notify("session/update", { sessionId: 5 });
    await agent.fence();
    expect(client.seen.slice(4, 10).map(({ message, text }) => message ?? text)).toEqual([
      "[1,2]",
      "Welcome!",
      { jsonrpc: "2.0", method: "_torn" },
      { jsonrpc: "2.0", id: "client-1", result: { again: true } },
      { jsonrpc: "2.0", id: "unknown", error: { code: 1, message: "refused" } },
      { jsonrpc: "2.0", method: "session/update", params: { sessionId: 5 } },
    ]);
  });

  it("gives each of two open requests with the same id a response of its own, in order", async () => {
    const script = agentScript().on("_work", () => noResponse);
    const { agent, client } = await conversation(script);
    const responses = [1, 2].map((n) => client.request("_work", { n }, { id: 7 }));
    const seen = client.received(({ id }) => id === 7);
    await agent.received("_work");
    agent.respond(7, { n: 1 });
    agent.respond(7, { n: 2 });
    await agent.fence();
    expect((await Promise.all(responses)).map(({ result }) => result)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await seen).toMatchObject({ result: { n: 1 } });
  });

  it("can send several messages in one write", async () => {
    const { agent, client } = await conversation();
    let together = 0;
    const gathered = Promise.all([client.received("_a"), client.received("_b")]);
    agent.together(() => {
      agent.notify("_a");
      agent.sendText("no line yet");
      agent.sendText("\n");
      agent.together(() => agent.notify("_b"));
      together = client.receivedSoFar("_a").length;
    });
    await gathered;
    expect(together).toBe(0);
  });

  it("detects a cancelled request, and the end of the other side's output", async () => {
    const signals: AbortSignal[] = [];
    const script = agentScript().on("session/load", ({ signal }) => {
      signals.push(signal);
      return noResponse;
    });
    const { agent, client } = await conversation(script);
    void client.request("session/load", { sessionId: "s", cwd: "/work", mcpServers: [] }, { id: 5 });
    void client.request("session/load", { sessionId: "s", cwd: "/work", mcpServers: [] }, { id: 6 });
    client.notify("$/cancel_request", { requestId: 5 });
    await client.fence();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    client.endOutput();
    expect(await agent.closed).toEqual({ how: "ended" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    agent.notify("_still"); // only one direction has ended
    await client.received("_still");
    agent.break(new Error("cable cut"));
    expect(await client.closed).toMatchObject({ how: "failed", error: { message: "cable cut" } });
  });

  it("controls the clock of pauses and of the recorded times", async () => {
    const clock = createClock();
    const script = agentScript({ clock }).onPrompt(async (turn) => {
      await turn.pause(1_000);
      turn.message("after a second");
    });
    const { agent, client } = await conversation(script);
    const response = client.prompt("wait");
    await agent.received("session/prompt");
    await clock.advance(999);
    expect(client.receivedSoFar("session/update")).toEqual([]);
    await clock.advance(1);
    await response;
    expect(agent.seen.at(-1)?.time).toBe(1_000);
  });

  it("can format the conversation as text", async () => {
    const { agent, client } = await conversation(agentScript().onPrompt((turn) => turn.message("Hi")));
    agent.sendLine("Welcome!");
    await client.prompt("hello");
    client.notify("_told");
    await agent.received("_told");
    client.respond("nobody", {});
    await client.fence();
    expect(dialogue(agent.seen, { width: 60 })).toMatchInlineSnapshot(`
      "client → initialize "client-1" {"protocolVersion":1,"clientCapabilities":{},"clientInfo":{…
      agent  ← result of initialize "client-1" {"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"n…
      client → session/new "client-2" {"cwd":"/work","mcpServers":[]}
      agent  ← result of session/new "client-2" {"sessionId":"session-1"}
      agent  ~ "Welcome!\\n"
      client → session/prompt "client-3" {"sessionId":"session-1","prompt":[{"type":"text","text":"h…
      agent  → session/update {"sessionId":"session-1","update":{"sessionUpdate":"agent_m…
      agent  ← result of session/prompt "client-3" {"stopReason":"end_turn"}
      client → _told
      client ← result of no open request, "nobody" {}
      client → _acp-kit/fence "client-4"
      agent  ← error for _acp-kit/fence "client-4" {"code":-32601,"message":"The script has no handler for _ac…"
    `);
  });
});
