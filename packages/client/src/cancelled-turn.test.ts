import { afterEach, describe, expect, test, vi } from "vitest";
import { type RawAgent, rawAgent } from "../test/raw-agent.js";
import type { PromptTurn } from "./prompt-turn.js";
import type { Session } from "./session.js";

afterEach(() => {
  vi.useRealTimers();
});

const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const request = { id: "p", method: "session/request_permission" };
const asked = { ...request, params: { sessionId: "s1", toolCall: { toolCallId: "t" }, options } };
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
async function started(prompt: {
  readonly idleTimeoutMs?: number;
  readonly cancelTimeoutMs?: number;
}): Promise<Started> {
  const agent = await rawAgent({
    permissions: async () => "allow_once",
    react: ({ id, method }) => (method === "session/new" ? [{ id, result: { sessionId: "s1" } }] : []),
  });
  const session = await agent.connection.newSession({ cwd: "/work" });
  const sent = agent.next("session/prompt");
  const turn = session.prompt("go", prompt);
  await sent;
  const ask = async (): Promise<unknown> => {
    const { length } = agent.received;
    agent.send(asked);
    await vi.waitFor(() => expect(agent.received.slice(length)).toContainEqual(expect.objectContaining({ id: "p" })));
    return agent.received.slice(length).find(({ id }) => id === "p")?.result;
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
    const sent = agent.next("session/prompt");
    session.prompt("again");
    await sent;
    expect(await ask()).toEqual(allowed);
  });

  test("turn.cancel-during-permission: gets cancelled after the session was closed, until the response", async () => {
    const { agent, session, turn, ask } = await started({});
    await session.close();
    expect(await ask()).toEqual(cancelled);
    const prompt = agent.received.find(({ method }) => method === "session/prompt");
    agent.send({ id: prompt?.id, result: { stopReason: "cancelled" } });
    await turn.result;
    expect(await ask()).toEqual(allowed);
  });
});
