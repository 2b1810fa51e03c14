import type { EverythingCommand } from "../command.js";

/** Shows the name, version and capabilities of the client, and the data about the session. */
export const session: EverythingCommand = {
  name: "session",
  description: "Show what the agent knows about the session and the client",
  async play(scene) {
    const { place, settings, sessionId, title, turns } = scene.session;
    const mcpServers = await Promise.all(
      place.mcpServers.map(async (server) => {
        const connection = scene.session.mcp.find(({ name }) => name === server.name);
        return { name: server.name, type: server.type ?? "stdio", ...(await connection?.state) };
      }),
    );
    const client = { info: scene.clientInfo ?? null, capabilities: scene.turn.client.capabilities };
    const systemPrompt = scene.systemPrompt ?? null;
    const known = { sessionId, title: title ?? null, turns, ...place, mcpServers, settings, systemPrompt, client };
    await scene.sendText(`\`\`\`json\n${JSON.stringify(known, undefined, 2)}\n\`\`\``);
  },
};
