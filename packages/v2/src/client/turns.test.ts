import { isRpcError } from "@acp-kit/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { turn } from "../../test/bridged.js";
import { chunk, idle, running, userMessage, withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";

/**
 * The three messages of an agent about a prompt, in every order in which the response comes before, between or after.
 */
const orders: readonly (readonly ("response" | "message" | "running" | "text" | "idle")[])[] = [
  ["message", "response", "running", "text", "idle"],
  ["response", "message", "running", "text", "idle"],
  ["response", "running", "message", "text", "idle"],
  ["running", "message", "response", "text", "idle"],
  ["running", "message", "text", "response", "idle"],
  ["message", "running", "text", "idle", "response"],
];

/** The user message has the text of the prompt, or more: agents and proxies may add to it. */
const echoes = orders.flatMap((order) => ["Hi", "Hi [context]"].map((echo) => ({ order, echo })));

it.each(echoes)("V2-REQ-05: a turn has its text and its end: $order, with the user message $echo", async (given) => {
  const { order, echo } = given;
  const { session, agent, diagnostics } = await withSession();
  const prompt = session.prompt("Hi");
  const text = prompt.text();
  await turn();
  const { id } = agent.lastReceived("session/prompt");
  for (const each of order) {
    if (each === "response") agent.respond(id, { messageId: "u1" });
    else if (each === "message") sendUpdate(agent, userMessage(echo, "u1"));
    else sendUpdate(agent, each === "running" ? running : each === "text" ? chunk("Hello") : idle("end_turn"));
    await turn();
  }
  expect(await prompt.result).toEqual({ stopReason: "end_turn" });
  expect(await text).toBe("Hello");
  expect(await prompt.inserted).toEqual({ messageId: "u1" });
  expect(session.activity).toBe("idle");
  expect(session.transcript.snapshot.entries).toMatchObject([
    { type: "user_message", messageId: "u1", text: echo },
    { type: "agent_message", text: "Hello" },
  ]);
  expect(session.transcript.snapshot.turns).toMatchObject([{ state: "ended", stopReason: "end_turn" }]);
  expect(diagnostics).toEqual([]);
});

it("V2-REQ-05: an agent that responds only after the end, and reports no user message, ends the turn", async () => {
  const { session, agent, rules } = await withSession();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const prompt = session.prompt("Hi");
  const text = prompt.text();
  await turn();
  sendUpdate(agent, running);
  sendUpdate(agent, chunk("Hello"));
  sendUpdate(agent, idle("end_turn"));
  await turn();
  agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
  await turn();
  expect(rules()).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(await prompt.result).toEqual({ stopReason: "end_turn" });
  expect(await text).toBe("Hello");
  expect(await prompt.inserted).toEqual({ messageId: "u1" });
  expect(rules()).toEqual(["late-response"]);
  expect(session.transcript.snapshot.entries).toMatchObject([{ type: "user_message" }, { type: "agent_message" }]);
});

it("V2-REQ-05: the first prompt, held until the agent's own work has ended, ends with the work after its response", async () => {
  const { session, agent, diagnostics } = await withSession();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const prompt = session.prompt("Hi");
  const text = prompt.text();
  await turn();
  sendUpdate(agent, running);
  sendUpdate(agent, idle("refusal"));
  agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
  sendUpdate(agent, running);
  sendUpdate(agent, userMessage("Hi", "u1"));
  await turn();
  vi.advanceTimersByTime(1_000);
  await turn();
  expect(prompt.state).toBe("running");
  sendUpdate(agent, chunk("Hello"));
  sendUpdate(agent, idle("end_turn"));
  expect(await prompt.result).toEqual({ stopReason: "end_turn" });
  expect(await text).toBe("Hello");
  expect(diagnostics).toEqual([]);
});

it("V2-REQ-05: an agent that never reports work ends the turn with a stop reason, and a response without an id is accepted", async () => {
  const { session, agent, rules } = await withSession();
  const prompt = session.prompt("Hi");
  await turn();
  agent.respond(agent.lastReceived("session/prompt").id, {});
  sendUpdate(agent, chunk("Hello"));
  sendUpdate(agent, idle("max_tokens"));
  expect(await prompt.result).toEqual({ stopReason: "max_tokens" });
  expect(rules()).toEqual(["no-message-id", "no-running"]);
});

describe("V2-REQ-07: states", () => {
  async function prompted() {
    const pair = await withSession();
    const prompt = pair.session.prompt("Hi");
    const ended: unknown[] = [];
    prompt.result.then(
      (result) => ended.push(result),
      (error) => ended.push(error),
    );
    await turn();
    pair.agent.respond(pair.agent.lastReceived("session/prompt").id, { messageId: "u1" });
    sendUpdate(pair.agent, userMessage("Hi", "u1"));
    sendUpdate(pair.agent, running);
    await turn();
    return { ...pair, prompt, ended };
  }

  it("repeated and unknown states and lists of background work settle nothing", async () => {
    const { agent, ended, session, prompt } = await prompted();
    sendUpdate(agent, running);
    sendUpdate(agent, { sessionUpdate: "state_update", state: "_thinking" });
    sendUpdate(agent, { sessionUpdate: "state_update", state: "requires_action", background: [] });
    await turn();
    expect(ended).toEqual([]);
    expect(session.activity).toBe("running");
    sendUpdate(agent, idle("end_turn"));
    sendUpdate(agent, idle("end_turn", { background: [] }));
    await turn();
    expect(ended).toEqual([{ stopReason: "end_turn" }]);
    expect(prompt.state).toBe("settled");
    const second = session.prompt("More");
    await turn();
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u2" });
    sendUpdate(agent, idle("end_turn", { background: [{ type: "tool_call", toolCallId: "t" }] }));
    await turn();
    expect(second.state).toBe("running");
    sendUpdate(agent, running);
    sendUpdate(agent, idle("refusal"));
    expect(await second.result).toEqual({ stopReason: "refusal" });
  });

  it.each([
    [
      { code: -32001, message: "quota", data: { left: 0 } },
      { code: -32001, message: "quota", data: { left: 0 } },
    ],
    [undefined, { code: -32603 }],
    [{ code: "x" }, { code: -32603 }],
  ])("the reason error with %j rejects", async (error, expected) => {
    const { agent, prompt } = await prompted();
    sendUpdate(agent, idle("error", { error }));
    const reason = await prompt.result.catch((cause: unknown) => cause);
    expect(isRpcError(reason)).toBe(true);
    expect(reason).toMatchObject(expected);
  });

  it("V2-REQ-09: a login error after the insertion does not send the prompt again", async () => {
    const { agent, prompt } = await prompted();
    sendUpdate(agent, idle("error", { error: { code: -32000, message: "login" } }));
    await expect(prompt.result).rejects.toMatchObject({ code: -32000 });
    expect(agent.receivedSoFar().filter(({ method }) => method === "session/prompt")).toHaveLength(1);
  });

  it.each([
    [undefined, "end_turn"],
    [null, "end_turn"],
    ["_paused", "_paused"],
    ["budget", "budget"],
  ])("the stop reason %j is %s", async (reason, stopReason) => {
    const { agent, prompt } = await prompted();
    sendUpdate(agent, { ...idle(), stopReason: reason, _meta: { cost: 1 } });
    expect(await prompt.result).toEqual({ stopReason, _meta: { cost: 1 } });
  });

  it("a turn whose agent is lost rejects with the cause", async () => {
    const { agent, prompt } = await prompted();
    await agent.close();
    await expect(prompt.result).rejects.toMatchObject({ name: "ConnectionError", message: /session\/prompt/ });
  });
});

describe("V2-REQ-08: several prompts", () => {
  it("queue: the second prompt is sent when the first turn has ended", async () => {
    const { session, agent } = await withSession();
    const first = session.prompt("One");
    const second = session.prompt("Two");
    await turn();
    expect(second.state).toBe("queued");
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
    sendUpdate(agent, running);
    await turn();
    expect(agent.receivedSoFar().filter(({ method }) => method === "session/prompt")).toHaveLength(1);
    sendUpdate(agent, idle("end_turn"));
    await first.result;
    await turn();
    expect(agent.receivedSoFar().filter(({ method }) => method === "session/prompt")).toHaveLength(2);
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u2" });
    sendUpdate(agent, running);
    sendUpdate(agent, idle("max_tokens"));
    expect(await second.result).toEqual({ stopReason: "max_tokens" });
  });

  async function sentTwice() {
    const pair = await withSession({ concurrentPrompts: "send" });
    const { session, agent } = pair;
    const first = session.prompt("One");
    const second = session.prompt("Two");
    await turn();
    const ids = agent.receivedSoFar("session/prompt");
    expect(ids).toHaveLength(2);
    sendUpdate(agent, userMessage("One", "u1"));
    agent.respond(ids[0] as { id: string }, { messageId: "u1" });
    sendUpdate(agent, running);
    await turn();
    return { ...pair, first, second, held: ids[1] as { id: string } };
  }

  it("send: a held prompt begins when the agent inserts it", async () => {
    const { session, agent, first, second, held } = await sentTwice();
    const changes: string[] = [];
    session.onQueueChange(() => changes.push(`${first.state} ${second.state}`));
    expect([first.state, second.state]).toEqual(["running", "held"]);
    expect(session.transcript.snapshot.sending).toEqual([[{ type: "text", text: "Two" }]]);
    const texts = Promise.all([first.text(), second.text()]);
    sendUpdate(agent, chunk("1", "a1"));
    sendUpdate(agent, idle("end_turn"));
    await turn();
    expect([first.state, second.state]).toEqual(["settled", "held"]);
    sendUpdate(agent, userMessage("Two", "u2"));
    agent.respond(held, { messageId: "u2" });
    sendUpdate(agent, running);
    sendUpdate(agent, chunk("2", "a2"));
    await turn();
    expect(second.state).toBe("running");
    expect(session.transcript.snapshot.sending).toBeUndefined();
    sendUpdate(agent, idle("refusal"));
    expect(await first.result).toEqual({ stopReason: "end_turn" });
    expect(await second.result).toEqual({ stopReason: "refusal" });
    expect(await texts).toEqual(["1", "2"]);
    expect(changes).toContain("settled held");
    expect(session.transcript.snapshot.entries).toMatchObject([
      { text: "One" },
      { text: "1" },
      { text: "Two" },
      { text: "2" },
    ]);
  });

  it("send: a prompt that joins the work ends with it, and gets the updates after it", async () => {
    const { agent, first, second, held } = await sentTwice();
    const texts = Promise.all([first.text(), second.text()]);
    sendUpdate(agent, chunk("1", "a1"));
    sendUpdate(agent, userMessage("Two", "u2"));
    sendUpdate(agent, chunk("2", "a2"));
    agent.respond(held, { messageId: "u2" });
    sendUpdate(agent, idle("end_turn"));
    expect(await Promise.all([first.result, second.result])).toEqual([
      { stopReason: "end_turn" },
      { stopReason: "end_turn" },
    ]);
    expect(await texts).toEqual(["1", "2"]);
  });

  it("a cancelled held prompt is withdrawn, and the other one continues", async () => {
    const { agent, first, second, held } = await sentTwice();
    second.cancel();
    await turn();
    expect(agent.receivedSoFar().at(-1)).toMatchObject({ method: "$/cancel_request", params: { requestId: held.id } });
    expect(agent.receivedSoFar().some(({ method }) => method === "session/cancel")).toBe(false);
    agent.refuse(held, -32800, "cancelled");
    expect(await second.result).toEqual({ stopReason: "cancelled" });
    await expect(second.inserted).rejects.toMatchObject({ name: "AbortError" });
    expect(first.state).toBe("running");
    sendUpdate(agent, idle("end_turn"));
    expect(await first.result).toEqual({ stopReason: "end_turn" });
  });

  it("a withdrawn prompt that the agent has inserted nevertheless is cancelled with session/cancel", async () => {
    const { agent, first, second, held } = await sentTwice();
    second.cancel();
    sendUpdate(agent, userMessage("Two", "u2"));
    agent.respond(held, { messageId: "u2" });
    await turn();
    expect(agent.receivedSoFar().some(({ method }) => method === "session/cancel")).toBe(true);
    sendUpdate(agent, idle("cancelled"));
    expect(await Promise.all([first.result, second.result])).toEqual([
      { stopReason: "cancelled" },
      { stopReason: "cancelled" },
    ]);
  });

  it("a refused prompt rejects, and ends no work", async () => {
    const { agent, first, second, held } = await sentTwice();
    agent.refuse(held, -32603, "no");
    await expect(second.result).rejects.toMatchObject({ code: -32603 });
    expect(first.state).toBe("running");
    sendUpdate(agent, idle("end_turn"));
    await first.result;
  });
});

it("V2-REQ-09: a login error before the insertion sends the prompt again after the login", async () => {
  const login = { choose: (methods: readonly never[]) => methods[0] };
  const result = {
    protocolVersion: 2,
    info: { name: "a", version: "1" },
    capabilities: { session: {} },
    authMethods: [{ type: "agent", methodId: "m", name: "M" }],
  };
  const { session, agent } = await withSession({ login: login as never }, {}, result);
  const prompt = session.prompt("Hi");
  await turn();
  agent.refuse(agent.lastReceived("session/prompt").id, -32000, "login");
  await turn();
  expect(agent.lastReceived("auth/login").params).toEqual({ methodId: "m" });
  agent.respond(agent.lastReceived("auth/login").id, {});
  await turn();
  agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
  sendUpdate(agent, running);
  sendUpdate(agent, idle("end_turn"));
  expect(await prompt.result).toEqual({ stopReason: "end_turn" });
  expect(session.transcript.snapshot.turns).toHaveLength(1);
});

describe("V2-REQ-18: work that the agent begins by itself", () => {
  it("is activity and a turn of the transcript, but no turn of the session", async () => {
    const { session, agent } = await withSession();
    const updates: unknown[] = [];
    session.onUpdate((update, { turn: of }) => void updates.push([update.sessionUpdate, of]));
    sendUpdate(agent, running);
    sendUpdate(agent, chunk("Tests: exit 0"));
    await turn();
    expect(session.activity).toBe("running");
    expect(session.turn).toBeUndefined();
    sendUpdate(agent, idle("end_turn"));
    await turn();
    expect(session.activity).toBe("idle");
    expect(session.transcript.snapshot.turns).toMatchObject([
      { joined: true, origin: "agent", state: "ended", stopReason: "end_turn" },
    ]);
    expect(updates).toEqual([
      ["state_update", undefined],
      ["agent_message_chunk", undefined],
      ["state_update", undefined],
    ]);
  });

  it("ends with session.cancel()", async () => {
    const { session, agent } = await withSession();
    sendUpdate(agent, running);
    await turn();
    session.cancel();
    await turn();
    expect(agent.receivedSoFar()).toMatchObject([{ method: "session/cancel", params: { sessionId: "s" } }]);
  });

  it("a cancel without work sends nothing", async () => {
    const { session, agent } = await withSession();
    session.cancel();
    await turn();
    expect(agent.receivedSoFar()).toEqual([]);
  });
});

it("the text of a prompt with another id than its response is reported", async () => {
  const { session, agent, diagnostics } = await withSession();
  const prompt = session.prompt("Hi");
  await turn();
  sendUpdate(agent, userMessage("Hi", "other"));
  agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
  sendUpdate(agent, running);
  sendUpdate(agent, idle("end_turn"));
  await prompt.result;
  expect(diagnostics).toMatchObject([{ code: "wrong_echo" }]);
});

describe("a message during the work", () => {
  async function working() {
    const pair = await withSession();
    const prompt = pair.session.prompt("Hi");
    await turn();
    pair.agent.respond(pair.agent.lastReceived("session/prompt").id, { messageId: "u1" });
    sendUpdate(pair.agent, running);
    await turn();
    return { ...pair, prompt };
  }

  it("is injected if the agent inserts it into the work", async () => {
    const { session, agent, prompt } = await working();
    const outcome = session.steer("Also the docs");
    await turn();
    expect(agent.lastReceived("session/prompt").params).toMatchObject({
      prompt: [{ type: "text", text: "Also the docs" }],
    });
    sendUpdate(agent, userMessage("Also the docs", "u2"));
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u2" });
    expect(await outcome).toBe("injected");
    expect(session.queue).toEqual([prompt]);
    sendUpdate(agent, idle("end_turn"));
    await prompt.result;
  });

  it("is a new turn if the agent holds it until the work has ended", async () => {
    const { session, agent, prompt } = await working();
    const outcome = session.steer("Also the docs");
    await turn();
    sendUpdate(agent, idle("end_turn"));
    await prompt.result;
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u2" });
    expect(await outcome).toBe("new_turn");
  });

  it("is not sent without work", async () => {
    const { session, agent } = await withSession();
    expect(await session.steer("Also the docs")).toBe("no_turn");
    expect(agent.receivedSoFar()).toEqual([]);
  });
});
