// Our client and our agent, with one application code for both versions of the protocol.
import { type ConnectAgentOptions, connectAgent, isCapabilityError, type Session } from "@acp-kit/client";
import { everythingAgent } from "@acp-kit/everything-agent";
import { linkedTransports } from "@acp-kit/protocol";
import { v2 } from "@acp-kit/v2/client";
import { describe, expect, it, onTestFinished } from "vitest";

async function open(version: 1 | 2, options: ConnectAgentOptions = {}): Promise<Session> {
  const [agentEnd, clientEnd] = linkedTransports();
  const served = everythingAgent({ paceMs: 0 }).connect(agentEnd);
  const agent = await connectAgent(clientEnd, {
    info: { name: "both", version: "1.0.0" },
    permissions: ({ options: offered }) => offered.find(({ kind }) => kind === "allow_once")?.optionId as never,
    ...(version === 2 && { versions: [v2] }),
    ...options,
  });
  onTestFinished(() => agent.close());
  expect(served.protocolVersion).toBe(version);
  return agent.newSession({ cwd: "/work" });
}

/** Commands whose text doesn't depend on the capabilities of the client, which differ between the versions. */
const prompts = ["hello", "/stream", "/think", "/plan", "/tools", "/content", "/usage", "/max-tokens", "/terminal"];

/** Resolves when the list of the background work has this length. */
function backgroundOf(session: Session, length: number): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (session.background.snapshot?.length === length) resolve();
    };
    session.background.subscribe(check);
    check();
  });
}

describe("our client and our agent", () => {
  it("V2-REQ-04, V2-REQ-11: give the same texts and stop reasons in both versions", async () => {
    const outcomes: unknown[] = [];
    for (const version of [1, 2] as const) {
      const session = await open(version);
      const each: unknown[] = [];
      for (const prompt of prompts) {
        const turn = session.prompt(prompt);
        each.push([await turn.text(), (await turn.result).stopReason]);
      }
      outcomes.push(each);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  it("V2-REQ-08: a prompt during a turn is held, then inserted, and both settle", async () => {
    const session = await open(2, { concurrentPrompts: "send" });
    const first = session.prompt("/stream");
    const second = session.prompt("held");
    const ids = await Promise.all([first.inserted, second.inserted]);
    expect(new Set(ids.map(({ messageId }) => messageId)).size).toBe(2);
    expect((await Promise.all([first.result, second.result])).map(({ stopReason }) => stopReason)).toEqual([
      "end_turn",
      "end_turn",
    ]);
  });

  it("V2-REQ-16, V2-REQ-17: background work is listed, and cancelled by the client", async () => {
    const session = await open(2);
    await session.prompt("/background 3600").result;
    await backgroundOf(session, 1);
    expect(session.canCancel("call_1_1")).toBe(true);
    await session.cancelToolCall("call_1_1");
    await backgroundOf(session, 0);
  });

  it("on version 1, the agent replaces no message, and the client cancels no single call", async () => {
    const session = await open(1);
    expect(await session.prompt("/replace").text()).toContain("needs version 2");
    await expect(session.cancelToolCall("call_1_1")).rejects.toSatisfy(isCapabilityError);
  });
});
