import { extension, type StandardSchema } from "@acp-kit/protocol";
import { deferred } from "@acp-kit/protocol/internal";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type RawAgent, rawAgent, says, updates } from "../../test/raw-agent.js";
import type { ConnectAgentOptions } from "../connect-options.js";
import type { PromptOptions, PromptTurn, Session } from "./session.js";

afterEach(() => {
  vi.useRealTimers();
});

const offered = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const request = { id: "p", method: "session/request_permission" };
const asked = { ...request, params: { sessionId: "s1", toolCall: { toolCallId: "t" }, options: offered } };
const cancelled = { outcome: { outcome: "cancelled" } };
const allowed = { outcome: { outcome: "selected", optionId: "y" } };

interface Started {
  readonly agent: RawAgent;
  readonly session: Session;
  readonly turn: PromptTurn;
  /** Requests a permission and resolves with the client's response. */
  ask(): Promise<unknown>;
}

/** Starts a turn whose prompt the agent never answers. */
async function started(prompt: PromptOptions, options: ConnectAgentOptions = {}): Promise<Started> {
  const agent = await rawAgent({
    permissions: async () => "allow_once",
    ...options,
    react: ({ id, method }) => (method === "session/new" ? [{ id, result: { sessionId: "s1" } }] : []),
  });
  const session = await agent.connection.newSession({ cwd: "/work" });
  const sent = agent.received("session/prompt");
  const turn = session.prompt("go", prompt);
  await sent;
  const ask = async (): Promise<unknown> => {
    const { length } = agent.receivedSoFar();
    agent.send(asked);
    await vi.waitFor(() =>
      expect(agent.receivedSoFar().slice(length)).toContainEqual(expect.objectContaining({ id: "p" })),
    );
    return agent
      .receivedSoFar()
      .slice(length)
      .find(({ id }) => id === "p")?.result;
  };
  return { agent, session, turn, ask };
}

describe("a permission request of a cancelled turn whose prompt has no response", () => {
  test.each([
    ["idleTimeoutMs", { idleTimeoutMs: 100 }],
    ["cancelTimeoutMs", { cancelTimeoutMs: 100 }],
  ])("turn.cancel-during-permission: gets cancelled after %s, until the next prompt is sent", async (name, prompt) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, turn, ask } = await started(prompt);
    if (name === "cancelTimeoutMs") turn.cancel();
    const settled = expect(turn.result).rejects.toMatchObject({ code: "timeout" });
    await vi.advanceTimersByTimeAsync(100);
    await settled;
    expect(await ask()).toEqual(cancelled);
    const sent = agent.received("session/prompt");
    session.prompt("again");
    await sent;
    expect(await ask()).toEqual(allowed);
  });

  test("turn.cancel-during-permission: gets cancelled after the session was closed, until the response", async () => {
    const { agent, session, turn, ask } = await started({});
    await session.close();
    expect(await ask()).toEqual(cancelled);
    const prompt = agent.receivedSoFar().find(({ method }) => method === "session/prompt");
    agent.send({ id: prompt?.id, result: { stopReason: "cancelled" } });
    await turn.result;
    expect(await ask()).toEqual(allowed);
  });
});

test("turn.cancel-during-permission: the requests of another session stay with their users when a turn is cancelled", async () => {
  const answers = { s1: deferred<"allow_once">(), s2: deferred<"allow_once">() };
  const forms = { s1: deferred<{ action: "accept" }>(), s2: deferred<{ action: "accept" }>() };
  let opened = 0;
  const agent = await rawAgent({
    permissions: ({ sessionId }) => answers[sessionId as "s1" | "s2"].promise,
    elicitation: { form: (_, { session }) => forms[session?.sessionId as "s1" | "s2"].promise },
    react: ({ id, method }) => (method === "session/new" ? [{ id, result: { sessionId: `s${++opened}` } }] : []),
  });
  const [one, two] = [await agent.connection.newSession({ cwd: "/" }), await agent.connection.newSession({ cwd: "/" })];
  const sent = agent.received("session/prompt");
  const turn = one.prompt("go");
  await sent;
  const also = agent.received("session/prompt");
  two.prompt("go");
  await also;
  for (const sessionId of ["s1", "s2"]) {
    agent.send({ ...asked, id: `p-${sessionId}`, params: { ...asked.params, sessionId } });
    const form = { sessionId, mode: "form", message: "Name?", requestedSchema: { type: "object", properties: {} } };
    agent.send({ id: `e-${sessionId}`, method: "elicitation/create", params: form });
  }
  const responseTo = (wanted: string) =>
    agent.receivedSoFar().find(({ id, method }) => id === wanted && method === undefined);
  await vi.waitFor(() => expect(one.transcript.snapshot.entries.length).toBeGreaterThan(0));
  turn.cancel();
  await vi.waitFor(() => expect(responseTo("e-s1")?.result).toEqual({ action: "cancel" }));
  expect(responseTo("p-s1")?.result).toEqual(cancelled);
  answers.s2.resolve("allow_once");
  forms.s2.resolve({ action: "accept" });
  await vi.waitFor(() => expect(responseTo("e-s2")?.result).toEqual({ action: "accept" }));
  expect(responseTo("p-s2")?.result).toEqual(allowed);
});

test("CANCEL-03 the transcript marks the tool calls of a cancelled turn at once, also if the agent does not respond", async () => {
  const { agent, session, turn } = await started({});
  const update = { sessionUpdate: "tool_call", toolCallId: "t", title: "Run", status: "in_progress" };
  agent.send({ method: "session/update", params: { sessionId: "s1", update } });
  await vi.waitFor(() => expect(session.transcript.snapshot.entries).toHaveLength(2));
  turn.cancel();
  expect(session.transcript.snapshot.entries.at(-1)).toMatchObject({ status: "in_progress", unfinished: true });
  expect(session.activity).toBe("running");
});

test("a form that is requested after the cancel of its turn is cancelled without a prompt to the user", async () => {
  const form = vi.fn(async () => ({ action: "accept" as const }));
  const { agent, turn } = await started({}, { elicitation: { form } });
  turn.cancel();
  const params = {
    sessionId: "s1",
    mode: "form",
    message: "Name?",
    requestedSchema: { type: "object", properties: {} },
  };
  agent.send({ id: "e", method: "elicitation/create", params });
  const response = expect.objectContaining({ id: "e", result: { action: "cancel" } });
  await vi.waitFor(() => expect(agent.receivedSoFar()).toContainEqual(response));
  expect(form).not.toHaveBeenCalled();
});

test("a form that waits for the user outside a turn is cancelled when its session is closed", async () => {
  const form = vi.fn(() => new Promise<never>(() => {}));
  const { agent, session, turn } = await started({}, { elicitation: { form } });
  const id = agent.receivedSoFar().find(({ method }) => method === "session/prompt")?.id;
  agent.send({ id, result: { stopReason: "end_turn" } });
  await turn.result;
  const requestedSchema = { type: "object", properties: {} };
  const params = { sessionId: "s1", mode: "form", message: "Name?", requestedSchema };
  agent.send({ id: "e", method: "elicitation/create", params });
  await vi.waitFor(() => expect(form).toHaveBeenCalled());
  await session.close();
  const response = expect.objectContaining({ id: "e", result: { action: "cancel" } });
  await vi.waitFor(() => expect(agent.receivedSoFar()).toContainEqual(response));
});

/** Starts a listener of the session. The returned function ends it. */
async function startListener(agent: RawAgent, session: Session): Promise<() => void> {
  const { promise, resolve } = deferred<void>();
  session.onUpdate(() => promise);
  agent.send(says("working"));
  await vi.waitFor(() => expect(session.transcript.snapshot.entries).toHaveLength(2));
  return resolve;
}

describe("a deadline that passes while a listener is running", () => {
  test.each([
    ["deadline.turn-idle", { idleTimeoutMs: 100 }],
    ["deadline.turn-cancelled", { cancelTimeoutMs: 100 }],
  ])("%s: does not reject the turn, because the response waits for the listener", async (name, prompt) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, turn } = await started(prompt);
    const finish = await startListener(agent, session);
    if (name === "deadline.turn-cancelled") turn.cancel();
    const id = agent.receivedSoFar().find(({ method }) => method === "session/prompt")?.id;
    agent.send({ id, result: { stopReason: "end_turn" } });
    await vi.advanceTimersByTimeAsync(150);
    finish();
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });

  test.each([
    ["deadline.turn-idle", { idleTimeoutMs: 100 }],
    ["deadline.turn-cancelled", { cancelTimeoutMs: 100 }],
  ])("%s: rejects the turn afterwards if the agent has not responded", async (name, prompt) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, turn } = await started(prompt);
    const finish = await startListener(agent, session);
    if (name === "deadline.turn-cancelled") turn.cancel();
    await vi.advanceTimersByTimeAsync(150);
    expect(turn.state).toBe("running");
    finish();
    const rejected = expect(turn.result).rejects.toMatchObject({ code: "timeout" });
    await vi.advanceTimersByTimeAsync(100);
    await rejected;
  });

  test("deadline.turn-cancelled: rejects a cancelled turn although a listener never finishes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, turn } = await started({ cancelTimeoutMs: 100 });
    await startListener(agent, session);
    turn.cancel();
    const rejected = expect(turn.result).rejects.toMatchObject({ code: "timeout" });
    await vi.advanceTimersByTimeAsync(200);
    await rejected;
  });

  test("deadline.turn-cancelled: rejects a cancelled turn although the agent sends on and listeners are always running", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, turn } = await started({ cancelTimeoutMs: 100 });
    session.onUpdate(() => new Promise((resolve) => setTimeout(resolve, 30)));
    agent.send(...Array.from({ length: 100 }, (_, index) => says(`working ${index}`)));
    turn.cancel();
    const rejected = expect(turn.result).rejects.toMatchObject({ code: "timeout" });
    await vi.advanceTimersByTimeAsync(100);
    expect(turn.state).toBe("running");
    await vi.advanceTimersByTimeAsync(110);
    expect(turn.state).toBe("settled");
    await rejected;
  });
});

test("deadline.turn-idle: the deadline does not pass while the connection waits for a slow reader of the turn", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { agent, turn } = await started({ idleTimeoutMs: 100 }, { limits: { maxBacklogBytes: 1 } });
  const reader = turn[Symbol.asyncIterator]();
  const first = reader.next();
  agent.send(says("one"), says("two"));
  await first;
  const id = agent.receivedSoFar().find(({ method }) => method === "session/prompt")?.id;
  agent.send(says("three"), { id, result: { stopReason: "end_turn" } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(turn.state).toBe("running");
  for (let next = await reader.next(); !next.done; next = await reader.next());
  expect(await turn.result).toEqual({ stopReason: "end_turn" });
});

test("deadline.turn-idle: after a slow reader has read, the agent has the whole time again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { agent, turn } = await started({ idleTimeoutMs: 100 });
  const rejected = expect(turn.result).rejects.toMatchObject({ code: "timeout" });
  const reader = turn[Symbol.asyncIterator]();
  agent.send(says("one"));
  await vi.advanceTimersByTimeAsync(90);
  await reader.next();
  await vi.advanceTimersByTimeAsync(90);
  expect(turn.state).toBe("running");
  await vi.advanceTimersByTimeAsync(10);
  await rejected;
});

test("deadline.turn-idle: the deadline does not pass after the response, while a new listener handles buffered updates", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const update = { sessionUpdate: "available_commands_update", availableCommands: [] };
  const agent = await rawAgent({
    react: ({ id, method }) => {
      if (method === "session/new") return [{ id, result: { sessionId: "s1" } }, updates(update)];
      return method === "session/prompt" ? [{ id, result: { stopReason: "end_turn" } }] : [];
    },
  });
  const session = await agent.connection.newSession({ cwd: "/work" });
  await vi.advanceTimersByTimeAsync(0);
  session.onUpdate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  const turn = session.prompt("go", { idleTimeoutMs: 100 });
  await vi.advanceTimersByTimeAsync(200);
  expect(await turn.result).toEqual({ stopReason: "end_turn" });
});

test("deadline.turn-idle: the deadline is paused while the agent waits for the response of an extension", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const any: StandardSchema<unknown> = {
    "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
  };
  let respond = (): void => {};
  const handler = (): Promise<object> =>
    new Promise((resolve) => {
      respond = () => resolve({});
    });
  const { agent, turn } = await started({ idleTimeoutMs: 100 }, { extensions: { "_x/ask": extension(any, handler) } });
  agent.send({ id: "e", method: "_x/ask", params: { sessionId: "s1" } });
  await vi.advanceTimersByTimeAsync(60_000);
  respond();
  const id = agent.receivedSoFar().find(({ method }) => method === "session/prompt")?.id;
  agent.send({ id, result: { stopReason: "end_turn" } });
  expect(await turn.result).toEqual({ stopReason: "end_turn" });
  expect(agent.receivedSoFar()).toContainEqual(expect.objectContaining({ id: "e", result: {} }));
});

test.each([
  [30_000, "with a limit for the cancel"],
  [0, "without one"],
])(
  "deadline.turn-idle: the deadline ends with the cancel of the turn, which has its own (%i ms)",
  async (cancelTimeoutMs) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, turn } = await started({ idleTimeoutMs: 500, cancelTimeoutMs });
    await vi.advanceTimersByTimeAsync(300);
    turn.cancel();
    const next = session.prompt("again");
    agent.send(says("ending the programs"));
    await vi.advanceTimersByTimeAsync(2000);
    expect([turn.state, next.state]).toEqual(["running", "queued"]);
    const id = agent.receivedSoFar().find(({ method }) => method === "session/prompt")?.id;
    agent.send({ id, result: { stopReason: "cancelled" } });
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
  },
);
