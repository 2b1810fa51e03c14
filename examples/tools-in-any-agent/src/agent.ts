// An agent that uses the servers of its client, with the official MCP client. It has no model: the prompt names the
// tool.
import { createAgent } from "@acp-kit/agent";
import { clientTransport } from "@acp-kit/mcp";
import { serveStdio } from "@acp-kit/stdio/node";
import { Client } from "@modelcontextprotocol/client";

const clients = new Map<string, Client>();

const agent = createAgent({
  info: { name: "tool-caller", version: "1.0.0" },
  mcpTransports: { acp: true },
  async newSession({ mcpServers }, { connection }) {
    const sessionId = crypto.randomUUID();
    const [server] = mcpServers.filter(({ type }) => (type as string) === "acp");
    if (server === undefined) return { sessionId };
    const client = new Client({ name: "tool-caller", version: "1.0.0" });
    await client.connect(clientTransport(connection, server));
    clients.set(sessionId, client);
    return { sessionId };
  },
  async prompt(turn) {
    const { name, ...input } = JSON.parse(turn.text) as { name: string };
    const result = await clients.get(turn.sessionId)?.callTool({ name, arguments: input }, { signal: turn.signal });
    for (const block of result?.content ?? []) if (block.type === "text") await turn.message(block.text);
  },
});

await serveStdio(agent);
