import { type Diagnostic, linkedTransports } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { relayAgent } from "./relay-agent.js";

function relayed() {
  const [toClient, client] = linkedTransports();
  const [toAgent, agent] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const relay = relayAgent(() => toAgent);
  const { closed } = relay.connect(toClient, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  return { client, agent, closed, diagnostics };
}

describe("a relay to an agent", () => {
  it("reports why the agent's transport failed", async () => {
    const { agent, closed, diagnostics } = relayed();
    const cause = new Error("the command does not exist");
    agent.break(cause);
    await closed;
    expect(diagnostics).toEqual([{ code: "transport_failed", message: expect.any(String), cause }]);
  });

  it("reports nothing when the client disconnects, or the agent ends", async () => {
    for (const end of ["client", "agent"] as const) {
      const { client, agent, closed, diagnostics } = relayed();
      if (end === "client") client.break(new Error("cable cut"));
      else await agent.close();
      await closed;
      expect(diagnostics).toEqual([]);
    }
  });
});
