import { type AgentConnection, allowReads, connectAgent } from "@acp-kit/client";
import { workspaceFiles } from "@acp-kit/workspace";

/** Connects to an agent. The agent may read files in the folder of its session, but change nothing. */
export function connect(transport: Parameters<typeof connectAgent>[0]): Promise<AgentConnection> {
  return connectAgent(transport, {
    info: { name: "{{name}}", version: "0.1.0" },
    files: workspaceFiles({ deny: [".env*", "*.pem", "*.key"] }),
    // The rules decide permission requests, in this order. If no rule decides a request, it is rejected. To prompt the
    // user, add the rule `askUser`.
    permissions: [allowReads()],
  });
}
