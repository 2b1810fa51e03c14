import { askUser, type ConnectAgentOptions, connectAgent, isCapabilityError, linkedTransports } from "@acp-kit/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { turn } from "../../test/bridged.js";
import { idle, running, withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";
import { BackgroundWork } from "./background-work.js";

afterEach(() => void vi.useRealTimers());

const call = (toolCallId: string, more: object = {}): object => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more,
});
const listed = (...toolCallIds: string[]): object => ({
  ...running,
  background: toolCallIds.map((toolCallId) => ({ type: "tool_call", toolCallId })),
});

describe("background work", () => {
  it("is the list that the agent reports with its states", async () => {
    const { session, agent } = await withSession();
    const lists: unknown[] = [];
    session.background.subscribe(() => lists.push(session.background.snapshot));
    expect(session.background.snapshot).toBeUndefined();
    sendUpdate(agent, listed());
    sendUpdate(agent, listed("t1"));
    sendUpdate(agent, listed("t1"));
    sendUpdate(agent, idle("end_turn", { background: [] }));
    sendUpdate(agent, idle("end_turn"));
    await turn();
    expect(lists).toEqual([[], [{ type: "tool_call", toolCallId: "t1" }], [], undefined]);
  });

  it("has each item once, and an item that is listed twice hides no change", async () => {
    const { session, agent } = await withSession();
    const ids = (): unknown => session.background.snapshot?.map((item) => (item as { toolCallId?: string }).toolCallId);
    for (const [list, expected] of [
      [
        ["a", "b"],
        ["a", "b"],
      ],
      [["a", "a"], ["a"]],
      [
        ["a", "b", "a"],
        ["a", "b"],
      ],
    ] as const) {
      sendUpdate(agent, listed(...list));
      await turn();
      expect(ids()).toEqual(expected);
    }
  });

  it("a list of 100,000 items is cut off", async () => {
    const { session, agent } = await withSession();
    sendUpdate(agent, listed(...Array.from({ length: 100_000 }, (_, index) => `t${index}`)));
    await turn();
    expect(session.background.snapshot).toHaveLength(1_000);
  });
});

describe("the cancellation of one tool call or terminal", () => {
  it("is sent while the agent offers it, and resolves when the agent has accepted it", async () => {
    const { session, agent } = await withSession();
    sendUpdate(agent, call("t1", { title: "Test", status: "in_progress", capabilities: { cancel: {} } }));
    await turn();
    expect(session.canCancel("t1")).toBe(true);
    const cancelled = session.cancelToolCall("t1");
    await turn();
    expect(agent.lastReceived("tool_call/cancel").params).toEqual({ sessionId: "s", toolCallId: "t1" });
    agent.respond(agent.lastReceived("tool_call/cancel").id, {});
    await cancelled;
    expect(session.canCancel("t1")).toBe(true);
    sendUpdate(agent, call("t1", { status: "cancelled" }));
    await turn();
    expect(session.canCancel("t1")).toBe(false);
  });

  it("works for terminals", async () => {
    const { session, agent } = await withSession();
    sendUpdate(agent, { sessionUpdate: "terminal_update", terminalId: "x", capabilities: { cancel: {} } });
    await turn();
    const cancelled = session.cancelTerminal("x");
    await turn();
    agent.respond(agent.lastReceived("terminal/cancel").id, {});
    await cancelled;
    sendUpdate(agent, { sessionUpdate: "terminal_update", terminalId: "x", exitStatus: { exitCode: 130 } });
    await turn();
    await expect(session.cancelTerminal("x")).rejects.toSatisfy(isCapabilityError);
  });

  it.each([
    ["unknown", undefined],
    ["without the capability", {}],
    ["with a cleared capability", { capabilities: null }],
  ])("rejects with CapabilityError for a call %s, and sends nothing", async (_, more) => {
    const { session, agent } = await withSession();
    if (more !== undefined) sendUpdate(agent, call("t1", { status: "in_progress", ...more }));
    await turn();
    await expect(session.cancelToolCall("t1")).rejects.toSatisfy(isCapabilityError);
    expect(agent.receivedSoFar()).toEqual([]);
  });

  it("rejects with CapabilityError in version 1", async () => {
    const [agentEnd, clientEnd] = linkedTransports();
    agentEnd.start({
      message: (message: unknown) => {
        const { id, method } = message as { id: number; method: string };
        const result = method === "initialize" ? { protocolVersion: 1 } : { sessionId: "s" };
        agentEnd.send({ jsonrpc: "2.0", id, result });
      },
      malformed: () => {},
      ended: () => {},
      failed: () => {},
    } as never);
    await using client = await connectAgent(clientEnd);
    const session = await client.newSession({ cwd: "/work" });
    expect(session.canCancel("t1")).toBe(false);
    expect(session.background.snapshot).toBeUndefined();
    await expect(session.cancelToolCall("t1")).rejects.toSatisfy(isCapabilityError);
    await expect(session.cancelTerminal("x")).rejects.toSatisfy(isCapabilityError);
  });
});

describe("V2-REQ-15: open permission requests when a turn is cancelled", () => {
  /**
   * A running turn with a permission request for each of these tool calls; `undefined` is a request without subject.
   */
  async function asked(state: object, toolCallIds: readonly (string | undefined)[], before: readonly object[] = []) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const permissions: ConnectAgentOptions["permissions"] = askUser(() => new Promise(() => {}));
    const pair = await withSession({ permissions });
    const { session, agent } = pair;
    for (const each of before) sendUpdate(agent, each);
    const prompt = session.prompt("Hi");
    await turn();
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
    sendUpdate(agent, running);
    sendUpdate(agent, call("work", { title: "In the work" }));
    sendUpdate(agent, state);
    const ids = toolCallIds.map(
      (toolCallId, index) =>
        agent.request(
          "session/request_permission",
          {
            sessionId: "s",
            title: "May I?",
            ...(toolCallId && { subject: { type: "tool_call", toolCall: { toolCallId } } }),
            options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
          },
          { id: `p${index}` },
        ).id,
    );
    await turn();
    const outcomes = (): unknown[] =>
      ids.map((id) => (agent.responseTo(id)?.result as { outcome: { outcome: string } } | undefined)?.outcome.outcome);
    return { ...pair, prompt, ids, outcomes };
  }

  it("those of the work are cancelled at once, those of listed work stay open, others wait", async () => {
    const { prompt, outcomes, agent } = await asked(
      listed("bg"),
      ["work", "bg", undefined, "earlier"],
      [call("earlier"), call("bg")],
    );
    prompt.cancel();
    await turn();
    expect(outcomes()).toEqual(["cancelled", undefined, undefined, undefined]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcomes()).toEqual(["cancelled", undefined, "cancelled", "cancelled"]);
    sendUpdate(agent, idle("cancelled", { background: [{ type: "tool_call", toolCallId: "bg" }] }));
    expect(await prompt.result).toEqual({ stopReason: "cancelled" });
    expect(outcomes()[1]).toBeUndefined();
  });

  it("a call with 100,000 terminals, or with ids that are too long, is foreground work as any other", () => {
    const work = new BackgroundWork();
    const content = (...terminalIds: string[]): never =>
      terminalIds.map((terminalId) => ({ type: "terminal", terminalId })) as never;
    const many = Array.from({ length: 100_000 }, (_, index) => `x${index}`);
    work.toolCall({ toolCallId: "t", content: content(...many) }, 1);
    work.listed([{ type: "terminal", terminalId: "x0" }]);
    expect(work.continues("t")).toBe(true);
    work.listed([{ type: "terminal", terminalId: "x99999" }]);
    expect(work.continues("t")).toBe(false);
    work.toolCall({ toolCallId: "t", content: content("first", "x".repeat(1_000_000)) }, 1);
    work.listed([{ type: "terminal", terminalId: "first" }]);
    expect(work.continues("t")).toBe(true);
    expect(work.isForeground("t", 1)).toBe(false);
  });

  it("a call whose terminal is listed stays open", async () => {
    const content = [{ type: "terminal", terminalId: "x" }];
    const state = { ...running, background: [{ type: "terminal", terminalId: "x" }] };
    const { prompt, outcomes, agent } = await asked(state, ["work"]);
    sendUpdate(agent, call("work", { content }));
    await turn();
    prompt.cancel();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcomes()).toEqual([undefined]);
  });

  it("if the agent does not report background work, all wait for it", async () => {
    const { prompt, outcomes, agent, ids } = await asked(running, ["work", undefined]);
    prompt.cancel();
    await turn();
    expect(outcomes()).toEqual([undefined, undefined]);
    agent.notify("$/cancel_request", { requestId: ids[0] });
    await turn();
    expect(outcomes()).toEqual(["cancelled", undefined]);
    sendUpdate(agent, idle("cancelled"));
    await turn();
    expect(outcomes()).toEqual(["cancelled", "cancelled"]);
  });

  it("a request for listed work that arrives after the cancel is open", async () => {
    const { prompt, agent } = await asked(listed("bg"), []);
    prompt.cancel();
    const request = (toolCallId: string, id: string): unknown =>
      agent.request(
        "session/request_permission",
        {
          sessionId: "s",
          title: "May I?",
          subject: { type: "tool_call", toolCall: { toolCallId } },
          options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
        },
        { id },
      ).id;
    const [late, background] = [request("work", "a"), request("bg", "b")];
    await turn();
    expect(agent.responseTo(late)?.result).toEqual({ outcome: { outcome: "cancelled" } });
    expect(agent.responseTo(background)).toBeUndefined();
  });

  it("a cancelled prompt whose work never begins ends after a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { session, agent } = await withSession();
    const prompt = session.prompt("Hi");
    await turn();
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
    await turn();
    prompt.cancel();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await prompt.result).toEqual({ stopReason: "cancelled" });
  });
});
