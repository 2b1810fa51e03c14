import { type AgentConnection, connectAgent } from "@acp-kit/client";
import type { Transport } from "@acp-kit/jsonrpc";
// #region tools
import { mcpTools, ToolError } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node"; // in a browser: of "@acp-kit/mcp"
import { z } from "zod";

const titles = new Map([["T-1", "The export is empty"]]);

/** Tools of the application. */
export const tickets = mcpTools("tickets", {
  find: {
    description: "Returns the title of a ticket",
    input: z.object({ id: z.string() }),
    run: ({ id }) => {
      const title = titles.get(id);
      if (title === undefined) throw new ToolError(`There is no ticket ${id}. Ids look like T-1.`);
      return title;
    },
  },
  where: {
    description: "Returns the folder of the session that calls",
    run: (_, { session }) => session.cwd,
  },
});
// #endregion tools

// #region use
/** Connects to an agent, such as one from `spawnAgent`, whose sessions get the tools. */
export function connectWithTools(agent: Transport): Promise<AgentConnection> {
  return connectAgent(agent, { mcp: serveMcp(tickets) });
}
// #endregion use
