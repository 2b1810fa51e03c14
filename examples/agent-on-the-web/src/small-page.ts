import type { RemoteAgent } from "@acp-kit/http";
import { Peer, v1Client } from "@acp-kit/protocol";

/**
 * Sends one prompt to `webSocketAgent(url)`, and shows the agent's text as it arrives. Allows no tool call that needs
 * permission.
 */
export async function askOnce(source: RemoteAgent, text: string, show: (text: string) => void): Promise<void> {
  const client = new Peer(await source.open(), v1Client);
  client.handleNotification("session/update", ({ update }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") show(update.content.text);
  });
  client.handle("session/request_permission", ({ options }) => {
    const no = options.find(({ kind }) => kind.startsWith("reject"));
    return { outcome: no ? { outcome: "selected", optionId: no.optionId } : { outcome: "cancelled" } };
  });
  client.connection.listen();
  try {
    const { protocolVersion, agentCapabilities } = await client.request("initialize", { protocolVersion: 1 });
    client.setAgreement({ protocolVersion, capabilities: agentCapabilities });
    const { sessionId } = await client.request("session/new", { cwd: "/", mcpServers: [] });
    await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  } finally {
    await client.connection.close();
  }
}
