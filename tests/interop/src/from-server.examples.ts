// #region docs
import { fromMcpServer } from "@acp-kit/mcp";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Each session gets a server of its own. */
export const docs = fromMcpServer("docs", ({ cwd }) => {
  const server = new McpServer({ name: "docs", version: "1.0.0" });
  const search = { description: "Searches the documentation", inputSchema: z.object({ text: z.string() }) };
  server.registerTool("search", search, ({ text }) => ({
    content: [{ type: "text", text: `Nothing in ${cwd} mentions ${text}.` }],
  }));
  return server;
});
// #endregion docs
