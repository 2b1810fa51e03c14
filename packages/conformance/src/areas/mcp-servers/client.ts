import { type ClientCheck, clientWatch } from "../../client/checks.js";
import { callOf } from "../../client/wire-event.js";
import { isAbsolutePath, itemsOf, member, shown } from "../../wire/values.js";

/** The checks of clients: mcp servers. */
export const mcpServersClientChecks: readonly ClientCheck[] = [
  clientWatch({
    id: "payload/mcp-command",
    title: "The command of an MCP server is an absolute path",
    verifies: ["MCP-06"],
    judge: (event) => {
      const servers = itemsOf(member(callOf(event)?.params, "mcpServers")).filter(
        (server) => member(server, "type") === undefined,
      );
      if (servers.length === 0) return undefined;
      const wrong = servers.find((server) => !isAbsolutePath(member(server, "command")));
      return wrong === undefined
        ? "fine"
        : { received: shown(wrong), explanation: "The `command` of an MCP server is an absolute path." };
    },
  }),
];
