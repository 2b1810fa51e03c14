import { type ClientCheck, clientWatch } from "../../client/checks.js";
import { at, isAbsolutePath, list, show } from "../../client/json.js";
import { callOf } from "../../client/wire-event.js";

/** The checks of clients: mcp servers. */
export const mcpServersClientChecks: readonly ClientCheck[] = [
  clientWatch({
    id: "payload/mcp-command",
    title: "The command of an MCP server is an absolute path",
    verifies: ["MCP-06"],
    judge: (event) => {
      const servers = list(at(callOf(event)?.params, "mcpServers")).filter(
        (server) => at(server, "type") === undefined,
      );
      if (servers.length === 0) return undefined;
      const wrong = servers.find((server) => !isAbsolutePath(at(server, "command")));
      return wrong === undefined
        ? "fine"
        : { received: show(wrong), explanation: "The `command` of an MCP server is an absolute path." };
    },
  }),
];
