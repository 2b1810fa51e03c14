import { type AgentConnection, allowReads, connectAgent } from "@acp-kit/client";
import { workspaceFiles } from "@acp-kit/workspace";

/** Connects an agent that may read files in the folder of its session, and change nothing. */
export function connect(transport: Parameters<typeof connectAgent>[0]): Promise<AgentConnection> {
  return connectAgent(transport, {
    info: { name: "{{name}}", version: "0.1.0" },
    files: workspaceFiles({ deny: [".env*", "*.pem", "*.key"] }),
    // The first rule that decides is used. If no rule decides, the request is cancelled. The rule `askUser` prompts the user.
    permissions: [allowReads()],
  });
}
