import { type Diagnostic, linkedTransports, Peer, type V1AgentCalls, v1Agent } from "@acp-kit/protocol";
import { expect, onTestFinished, test } from "vitest";
import { connectAgent } from "./connect-agent.js";
import type { ConnectAgentOptions } from "./connect-options.js";

type AgentPeer = Peer<V1AgentCalls>;

/** Connects to an agent that acts before it responds to `initialize`. */
async function connectTo(early: (peer: AgentPeer) => unknown, options: ConnectAgentOptions): Promise<Diagnostic[]> {
  const [agentSide, clientSide] = linkedTransports();
  const peer: AgentPeer = new Peer(agentSide, v1Agent);
  peer.handle("initialize", async () => {
    peer.setAgreement({ protocolVersion: 1, capabilities: { elicitation: { form: {} } } });
    await early(peer);
    return { protocolVersion: 1 };
  });
  peer.connection.listen();
  const diagnostics: Diagnostic[] = [];
  const connection = await connectAgent(clientSide, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  onTestFinished(() => connection.close());
  return diagnostics;
}

const request = {
  sessionId: "s1",
  toolCall: { toolCallId: "t" },
  options: [{ optionId: "y", name: "Yes", kind: "allow_once" as const }],
};
const fail = (): never => {
  throw new Error("broken");
};

test.each<[string, ConnectAgentOptions, string]>([
  ["a rule that throws", { permissions: async () => fail() }, "handler_failed"],
  [
    "a rule that picks what was not offered",
    { permissions: async () => ({ outcome: "selected", optionId: "no" }) },
    "invalid_permission_decision",
  ],
  ["a listener that throws", { permissions: async () => "allow_once", onPermissionDecision: fail }, "handler_failed"],
])(
  "hostile.before-initialize: a permission request before the response to `initialize` meets %s",
  async (_, options, code) => {
    const answers: unknown[] = [];
    const diagnostics = await connectTo(
      async (peer) => answers.push(await peer.request("session/request_permission", request)),
      options,
    );
    expect(answers).toMatchObject([{ outcome: { outcome: expect.stringMatching(/^(cancelled|selected)$/) } }]);
    expect(diagnostics).toMatchObject([{ code }]);
  },
);

test("hostile.before-initialize: an update before the response to `initialize` belongs to no session", async () => {
  const update = { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text: "x" } };
  const diagnostics = await connectTo((peer) => peer.notify("session/update", { sessionId: "s1", update }), {});
  expect(diagnostics).toMatchObject([{ code: "unknown_session" }]);
});

test("hostile.before-initialize: a form before the response to `initialize` meets a handler that throws", async () => {
  const answers: unknown[] = [];
  const diagnostics = await connectTo(
    async (peer) => {
      const requestedSchema = { type: "object" as const, properties: {} };
      const form = { mode: "form" as const, sessionId: "s1", message: "?", requestedSchema };
      answers.push(await peer.request("elicitation/create", form));
    },
    { elicitation: { form: fail } },
  );
  expect(answers).toMatchObject([{ action: "cancel" }]);
  expect(diagnostics).toMatchObject([{ code: "handler_failed" }]);
});
