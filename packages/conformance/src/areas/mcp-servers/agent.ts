import { type AgentCheck, agentScenario } from "../../agent/agent-scenario.js";

/** The checks of agents: mcp servers. */
export const mcpServersAgentChecks: readonly AgentCheck[] = [
  agentScenario("session/mcp-server", ["MCP-02"], {
    title: "The agent connects to an MCP server on stdio",
    needs: ["prompt: text"],
    async run(context) {
      const logPath = context.files.join(context.files.cwd, "mcp-server.log");
      const server = context.files.mcpServer?.(logPath);
      if (!server) context.skip("there is no way to start an MCP server here");
      const agent = await context.ready();
      const mcpServers = [{ name: "conformance", ...server, env: [{ name: "CONFORMANCE", value: "yes" }] }];
      const session = await context.newSession(agent.peer, { mcpServers });
      await context.turn(session, context.text("text"));
      const log = await waitFor(async () => {
        const text = await context.files.read(logPath);
        return text?.includes('"initialize"') === true ? text : undefined;
      }, context.options.requestTimeoutMs / 4);
      if (log) return;
      const started = (await context.files.read(logPath)) !== undefined;
      context.fail("MCP-02", {
        sent: "session/new with an MCP server on stdio, and then a prompt",
        received: started ? "a start of the server, but no MCP initialize" : "no start of the server",
      });
    },
  }),
];

async function waitFor<T>(find: () => Promise<T | undefined>, timeoutMs: number): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
