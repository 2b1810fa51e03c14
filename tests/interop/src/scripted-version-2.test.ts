// The scripted peers of `@acp-kit/testing` for version 2 of the protocol, with our client and agent, and with the
// experimental version 2 of the official SDK 2.4.0.
import { createAgent } from "@acp-kit/agent";
import { type AgentConnection, connectAgent, isConnectionError } from "@acp-kit/client";
import { linkedTransports, type Transport, toMessageStream } from "@acp-kit/protocol";
import { checkV2Agent, checkV2Client } from "@acp-kit/protocol/v2/strict";
import { createClock, type FaultPlan, faulty, forEachSeed, randomPlan } from "@acp-kit/testing";
import { v2AgentScript, v2ClientScript } from "@acp-kit/testing/v2";
import { type AcpMatchers, acpMatchers } from "@acp-kit/testing/vitest";
import { v2 as v2OfAgent } from "@acp-kit/v2/agent";
import { v2 } from "@acp-kit/v2/client";
import * as sdk2 from "sdk-2/experimental/v2";
import { describe, expect, it, onTestFinished } from "vitest";
import { sdkAgentOfVersion2 } from "./peers/sdk-2-v2.js";

expect.extend(acpMatchers);
declare module "vitest" {
  interface Matchers<T> extends AcpMatchers<T> {}
}

async function connect(transport: Transport, idleTimeoutMs?: number): Promise<AgentConnection> {
  const client = await connectAgent(transport, {
    info: { name: "client", version: "1" },
    versions: [v2],
    concurrentPrompts: "send",
    permissions: async () => "allow_once",
    checkOutgoing: (method, part, value) => checkV2Client(method, part, value),
    ...(idleTimeoutMs !== undefined && {
      limits: { initializeTimeoutMs: idleTimeoutMs, requestTimeoutMs: idleTimeoutMs },
    }),
  });
  onTestFinished(() => client.close());
  return client;
}

const gate = (): { readonly open: () => void; readonly opened: Promise<void> } => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe("V2-REQ-02: the scripted agent of version 2", () => {
  it("works for our client: whole messages, permissions, a held prompt, cancel", async () => {
    const held = gate();
    const agent = v2AgentScript()
      .onPrompt("whole", (work) => {
        const id = work.wholeMessage("a draft");
        work.wholeMessage("final", id);
      })
      .onPrompt("ask", async (work) => {
        const call = work.toolCall({ title: "Edit a.ts", kind: "edit" });
        const subject = { type: "tool_call", toolCall: { toolCallId: call, title: "Edit a.ts" } } as const;
        const { outcome } = await work.requestPermission("Edit a.ts?", { subject });
        work.message(outcome.outcome === "selected" ? String(outcome.optionId) : "no");
      })
      .onPrompt("held", async (work) => {
        await held.opened;
        work.message("at last");
      })
      .onPrompt("wait", async (work) => {
        work.message("waiting");
        await work.cancelled;
      })
      .inMemory();
    const client = await connect(agent.transport);
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("whole").text()).toBe("final");
    expect(await session.prompt("ask").text()).toBe("allow");
    const waiting = session.prompt("wait");
    await waiting.inserted;
    const late = session.prompt("held");
    await agent.received(({ params }) => JSON.stringify(params ?? null).includes('"held"'));
    expect(agent.receivedSoFar("session/prompt")).toHaveLength(4);
    held.open();
    expect(await late.inserted).toEqual({ messageId: "user-4" });
    waiting.cancel();
    expect((await waiting.result).stopReason).toBe("cancelled");
    await late.result;
    expect(agent).toHaveConformantDialogue();
    expect(agent).toHaveConformantDialogue({ from: "agent" });
    await agent.close();
  });

  it("works for our client: work of the agent, background work, a replay that joins running work", async () => {
    const done = gate();
    const agent = v2AgentScript()
      .savedSession("saved", [
        { sessionUpdate: "user_message", messageId: "u", content: [{ type: "text", text: "Hello" }] },
        { sessionUpdate: "agent_message", messageId: "a", content: [{ type: "text", text: "Good day" }] },
      ])
      .inMemory();
    const client = await connect(agent.transport);
    const session = await client.loadSession({ sessionId: "saved", cwd: "/work" });
    expect(session.transcript.snapshot.entries).toMatchObject([{ text: "Hello" }, { text: "Good day" }]);
    const listed = gate();
    session.onUpdate(() => {
      if (session.background.snapshot?.length === 1) listed.open();
    });
    const work = agent.work("saved", async ({ toolCall, message }) => {
      toolCall({ toolCallId: "c1", title: "Watch files", status: "in_progress" });
      agent.background("saved", [{ type: "tool_call", toolCallId: "c1" }]);
      message("I watch the files.");
      await done.opened;
    });
    await listed.opened;
    done.open();
    await work;
    await agent.fence();
    expect(session.background.snapshot).toHaveLength(1);
    expect(session.transcript.snapshot.entries.at(-1)).toMatchObject({ text: "I watch the files." });
    expect(agent).toHaveConformantDialogue();
    expect(agent).toHaveConformantDialogue({ from: "agent" });
    await agent.close();
  });

  it("works for a client on the SDK's version 2", async () => {
    const agent = v2AgentScript()
      .savedSession("old", [
        { sessionUpdate: "agent_message", messageId: "a", content: [{ type: "text", text: "Good day" }] },
      ])
      .onPrompt("ask", async (work) => {
        const { outcome } = await work.requestPermission("May I?");
        work.message(outcome.outcome === "selected" ? String(outcome.optionId) : "no");
      })
      .onPrompt("wait", async (work) => {
        work.message("waiting");
        await work.cancelled;
      })
      .inMemory();
    const updates: Record<string, unknown>[] = [];
    let changed = (): void => {};
    const until = async (isDone: (update: Record<string, unknown>) => boolean): Promise<void> => {
      while (!updates.some(isDone))
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
    };
    const stopped = (reason: string) => (update: Record<string, unknown>) => update.stopReason === reason;
    const client = sdk2
      .client({ name: "sdk-client" })
      .onRequest("session/request_permission", ({ params }) => ({
        outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" },
      }))
      .onNotification("session/update", ({ params }) => {
        updates.push(params.update as never);
        changed();
      });
    const stream = toMessageStream(agent.transport) as never;
    await client.connectWith(stream, async (context) => {
      const initialized = await context.request("initialize", {
        protocolVersion: 2,
        info: { name: "sdk-client", version: "2.4.0" },
      });
      expect(initialized.protocolVersion).toBe(2);
      const { sessionId } = await context.request("session/new", { cwd: "/work" });
      await context.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "ask" }] });
      await until(stopped("end_turn"));
      await context.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "wait" }] });
      await context.notify("session/cancel", { sessionId });
      await until(stopped("cancelled"));
      await context.request("session/resume", { sessionId: "old", cwd: "/work", replayFrom: { type: "start" } });
      await until(({ messageId }) => messageId === "a");
      await context.request("session/close", { sessionId });
    });
    const texts = updates.map(({ content }) => (content as { readonly text?: string } | undefined)?.text);
    expect(texts.filter(Boolean)).toEqual(["allow", "waiting"]);
    expect(agent).toHaveConformantDialogue();
    await agent.close();
  });
});

describe("V2-REQ-02: the scripted client of version 2", () => {
  it("works for our agent: turns, permissions, cancel, resume with replay", async () => {
    const [agentEnd, clientEnd] = linkedTransports();
    const connection = createAgent(
      {
        info: { name: "agent", version: "1" },
        newSession: () => ({ sessionId: "s" }),
        loadSession: async ({ sessionId }, { session }) => {
          await session(sessionId).message("Good day");
        },
        listSessions: () => ({ sessions: [] }),
        resumeSession: () => ({}),
        closeSession: () => ({}),
        async prompt(turn) {
          if (turn.text === "wait") {
            await turn.message("waiting");
            await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
            return undefined;
          }
          const call = turn.toolCall({ title: "Edit a.ts", kind: "edit" });
          const { allowed } = await turn.permit(call);
          await (allowed ? call.complete() : call.fail());
          await turn.message(allowed ? "allowed" : "not allowed");
          return "end_turn";
        },
      },
      { versions: [v2OfAgent], checkOutgoing: (method, part, value) => checkV2Agent(method, part, value) },
    ).connect(agentEnd);
    onTestFinished(() => connection.close());
    const client = v2ClientScript().onPermission(/^Edit/, "allow_once").connect(clientEnd);
    expect((await client.initialize()).result?.protocolVersion).toBe(2);
    await client.newSession();
    const { result } = await client.prompt("edit");
    expect(await client.idle()).toHaveStopped("end_turn");
    expect(client).toHaveReceived("session/update", {
      update: { sessionUpdate: "user_message", messageId: result?.messageId },
    });
    expect(client).toHaveReceived("session/update", { update: { content: { text: "allowed" } } });
    await client.prompt("wait");
    client.cancel();
    expect(await client.idle()).toHaveStopped("cancelled");
    client.forget();
    await client.resumeSession({ sessionId: "saved" });
    expect(client.receivedSoFar("session/update")).toMatchObject([
      { params: { update: { content: { text: "Good day" } } } },
      { params: { update: { state: "idle" } } },
    ]);
    expect(client).toHaveConformantDialogue();
    await client.close();
  });

  it("works for an agent on the SDK's version 2", async () => {
    const [agentEnd, clientEnd] = linkedTransports();
    sdkAgentOfVersion2().connect(toMessageStream(agentEnd) as never);
    const client = v2ClientScript().onPermission("May I?", "allow_once").connect(clientEnd);
    await client.initialize();
    await client.newSession();
    expect((await client.prompt("ask")).result).toEqual({ messageId: "u1" });
    expect(await client.idle()).toHaveStopped("end_turn");
    expect(client).toHaveReceived("session/update", { update: { content: { text: "yes" } } });
    await client.prompt("wait");
    client.cancel();
    expect(await client.idle()).toHaveStopped("cancelled");
    client.forget();
    await client.resumeSession({ sessionId: "old" });
    expect(client.receivedSoFar("session/update")).toHaveLength(3);
    expect(client).toHaveConformantDialogue();
    await client.close();
  });
});

describe("fault plans of version 2", () => {
  const script = v2AgentScript().onPrompt((work) => {
    work.message("one ");
    work.message("two");
  });

  it.each<[string, FaultPlan]>([
    ["each update twice", [{ fault: "duplicate", method: "session/update", update: ["state_update", "user_message"] }]],
    ["an early update", [{ fault: "early" }]],
    ["the user message after the state", [{ fault: "reorder", update: "user_message", at: 1 }]],
    ["no user message", [{ fault: "drop", update: "user_message" }]],
    ["the response after the end", [{ fault: "reorder", kind: "response", method: "session/prompt", by: 3 }]],
    ["no running", [{ fault: "drop", update: "state_update", at: 1 }]],
    ["lines that are not JSON", [{ fault: "banner", from: "agent", at: 3 }]],
  ])("%s: our client's turn ends once with its text", async (_, plan) => {
    const client = await connect(faulty(script.inMemory().transport, plan));
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    expect(await turn.text()).toBe("one two");
    expect(await turn.result).toMatchObject({ stopReason: "end_turn" });
  });

  it("versions.one-end: every prompt of our client settles, whatever fault occurs", async () => {
    await forEachSeed({ runs: 40 }, async (seed) => {
      const clock = createClock();
      const transport = faulty(script.inMemory().transport, randomPlan(seed), { seed, clock });
      const settled = connect(transport, 50)
        .then((client) => client.newSession({ cwd: "/work" }))
        .then((session) => session.prompt("go", { idleTimeoutMs: 50, cancelTimeoutMs: 50 }).result)
        .catch((error: unknown) => error);
      await clock.runAll();
      const end = await settled;
      if (end instanceof Error && isConnectionError(end)) expect(end.message, transport.describe()).not.toBe("");
      await transport.close();
    });
  });

  it("the work of our agent ends once, whatever messages of its client come twice", async () => {
    const [agentEnd, clientEnd] = linkedTransports();
    const connection = createAgent(
      {
        info: { name: "agent", version: "1" },
        newSession: () => ({ sessionId: "s" }),
        prompt: async () => "end_turn",
      },
      { versions: [v2OfAgent] },
    ).connect(agentEnd);
    onTestFinished(() => connection.close());
    const client = v2ClientScript().connect(
      faulty(clientEnd, [{ fault: "duplicate", from: "client", method: "session/prompt" }]),
    );
    await client.initialize();
    await client.newSession();
    client.prompt("go", { id: 1 });
    await client.idle();
    await client.fence();
    const ends = client.receivedSoFar("session/update").filter(({ params }) => JSON.stringify(params).includes("idle"));
    const responses = client.receivedSoFar().filter(({ id, method }) => id === 1 && method === undefined);
    expect(ends.length).toBeGreaterThanOrEqual(1);
    expect(ends.length).toBeLessThanOrEqual(responses.length);
    await client.close();
  });
});
