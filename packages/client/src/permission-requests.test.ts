import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import { expect, test } from "vitest";
import { type RawAgent, type RawMessage, rawAgent, updates } from "../test/raw-agent.js";
import type { ConnectAgentOptions } from "./connect-agent.js";

const options = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "n", name: "No", kind: "reject_once" },
];

const asks = (toolCall: object): RawMessage => ({
  id: "p",
  method: "session/request_permission",
  params: { sessionId: "s1", toolCall: { toolCallId: "c", ...toolCall }, options },
});

/** Connects to an agent that responds to a prompt with `messages`, and ends its turn when it has the response to its request. */
function askingAgent(messages: readonly RawMessage[], client: ConnectAgentOptions): Promise<RawAgent> {
  let prompt: RawMessage["id"];
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
  "permissions.known-input: %j in a request hides the announced input from nobody",
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
