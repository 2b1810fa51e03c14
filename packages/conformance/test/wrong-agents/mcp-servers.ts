import type { Mutant, WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const mcpServersWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "session/mcp-server",
    mutation: {
      receive: (message) => (
        message.method === "session/new" &&
          Array.isArray(message.params?.mcpServers) &&
          (message.params.mcpServers = []),
        false
      ),
    },
  },
];
