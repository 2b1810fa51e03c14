import { type AgentConnection, connectAgent, type Transport } from "@acp-kit/client";
import { essentialEnvironment, type FileAccess, workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";

/** Every access, and all output, for the demo to check. */
export const accesses: FileAccess[] = [];
export const shown: string[] = [];

// #region client
/** Lets an agent work in the folders of its sessions, and nowhere else. */
export function connectWithWorkspace(agent: Transport): Promise<AgentConnection> {
  return connectAgent(agent, {
    files: workspaceFiles({
      deny: [".env*", "*.pem", ".git"],
      deleteAndRename: true,
      onAccess: (access) => accesses.push(access),
    }),
    terminals: workspaceTerminals({
      inheritEnv: [...essentialEnvironment, "JAVA_HOME"],
      env: { CI: "1" },
      maxLifetimeMs: 10 * 60_000,
      onOutput: (_terminal, text) => shown.push(text),
    }),
  });
}
// #endregion client
