import { type ClientCheck, callWatch } from "../../client/checks.js";
import { isAbsolutePath, itemsOf, member, shown } from "../../wire/values.js";

/** The checks of clients: mcp servers. */
export const mcpServersClientChecks: readonly ClientCheck[] = [
  callWatch("payload/mcp-command", ["MCP-06"], {
    title: "The command of an MCP server is an absolute path",
    judge: ({ params }) => {
      const servers = itemsOf(member(params, "mcpServers")).filter((server) => member(server, "type") === undefined);
      if (servers.length === 0) return undefined;
      const wrong = servers.find((server) => !isAbsolutePath(member(server, "command")));
      const explanation = "The `command` of an MCP server is an absolute path.";
      return wrong === undefined || { received: shown(wrong), explanation };
    },
  }),
];
