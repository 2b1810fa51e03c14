import { deferred } from "@acp-kit/protocol/internal";
import type { WireMessage } from "@acp-kit/testing";
import type { IncomingRequestPermissionRequest } from "@acp-kit/types";

import { afterEach, describe, expect, test, vi } from "vitest";
import { type RawAgent, rawAgent, updates } from "../test/raw-agent.js";
import type { ConnectAgentOptions } from "./connect-options.js";

const options = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "n", name: "No", kind: "reject_once" },
];

const asks = (toolCall: object): WireMessage => ({
  id: "p",
  method: "session/request_permission",
  params: { sessionId: "s1", toolCall: { toolCallId: "c", ...toolCall }, options },
});

/**
 * Connects to an agent that responds to a prompt with `messages`, and ends its turn when it has the response to its
 * request.
 */
function askingAgent(messages: readonly WireMessage[], client: ConnectAgentOptions): Promise<RawAgent> {
  let prompt: WireMessage["id"];
  return rawAgent({
    ...client,
    react: ({ id, method }) => {
      if (method === "session/new") return [{ id, result: { sessionId: "s1" } }];
      if (id === "p" && method === undefined) return [{ id: prompt, result: { stopReason: "end_turn" } }];
      if (method !== "session/prompt") return [];
      prompt = id;
      return messages;
    },
  });
}

test.each([[{}], [null]])(
  "permissions.known-input: %j in a request keeps the announced input for rules and users",
  async (rawInput) => {
    const call = { toolCallId: "c", title: "shell", kind: "execute" };
    let seen: IncomingRequestPermissionRequest | undefined;
    const agent = await askingAgent(
      [
        updates({ sessionUpdate: "tool_call", ...call, rawInput: {} }),
        updates({ sessionUpdate: "tool_call_update", toolCallId: "c", rawInput: { command: "terraform destroy" } }),
        asks({ title: "", rawInput, locations: [], content: [] }),
      ],
      {
        permissions: async (request) => {
          seen = request;
          return "reject_once";
        },
      },
    );
    const session = await agent.connection.newSession({ cwd: "/work" });
    await session.prompt("go").result;
    const known = { title: "shell", kind: "execute", rawInput: { command: "terraform destroy" } };
    expect(seen?.toolCall).toMatchObject(known);
    expect(session.transcript.snapshot.entries[1]).toMatchObject(known);
  },
);

describe("order.loop-before-question: a loop over a turn", () => {
  const text = (words: string): WireMessage =>
    updates({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });
  const call = updates({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", rawInput: { command: "ls" } });
  const scene = [text("I need to list the files."), call, asks({})];

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Connects, and returns the events in the order in which the application got them. */
  async function started(): Promise<{
    readonly agent: RawAgent;
    readonly events: string[];
    readonly asked: Promise<void>;
  }> {
    const events: string[] = [];
    const asked = deferred<void>();
    const agent = await askingAgent(scene, {
      permissions: async () => {
        events.push("question");
        asked.resolve();
        return "allow_once";
      },
    });
    return { agent, events, asked: asked.promise };
  }

  test("receives the text and the tool call before the question, also if they arrive together", async () => {
    const { agent, events } = await started();
    const session = await agent.connection.newSession({ cwd: "/work" });
    for await (const { sessionUpdate } of session.prompt("go")) {
      events.push(sessionUpdate);
      await new Promise((resolve) => setImmediate(resolve)); // the loop works on each update
    }
    expect(events).toEqual(["agent_message_chunk", "tool_call", "question"]);
  });

  test("receives the pieces of its text before the question", async () => {
    const { agent, events } = await started();
    const session = await agent.connection.newSession({ cwd: "/work" });
    for await (const piece of session.prompt("go").textStream) events.push(piece);
    expect(events).toEqual(["I need to list the files.", "question"]);
  });

  test.each(["the result only", "the text", "a loop that is left"])(
    "does not delay the question if the application reads %s",
    async (what) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { agent, events } = await started();
      const session = await agent.connection.newSession({ cwd: "/work" });
      const turn = session.prompt("go");
      if (what === "the text") void turn.text();
      if (what === "a loop that is left") for await (const _ of turn) break;
      await vi.advanceTimersByTimeAsync(0);
      await turn.result;
      expect(events).toEqual(["question"]);
    },
  );

  test.each(["tool_call", "agent_message_chunk"])(
    "that waits for the question itself, at a %s, gets it after a second",
    async (at) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { agent, asked } = await started();
      const session = await agent.connection.newSession({ cwd: "/work" });
      const turn = session.prompt("go");
      let isRead = false;
      void (async () => {
        for await (const { sessionUpdate } of turn) if (sessionUpdate === at) await asked;
        isRead = true;
      })();
      while (!isRead) await new Promise(setImmediate).then(() => vi.advanceTimersByTimeAsync(1_000));
      expect(await turn.result).toEqual({ stopReason: "end_turn" });
    },
  );

  test("does not keep the question of a turn that was cancelled in the meantime", async () => {
    const { agent, events } = await started();
    const session = await agent.connection.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    for await (const _ of turn) turn.cancel();
    expect(agent.receivedSoFar().find(({ id, method }) => id === "p" && method === undefined)).toMatchObject({
      result: { outcome: { outcome: "cancelled" } },
    });
    expect(events).toEqual([]);
  });
});
