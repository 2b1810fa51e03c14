import { type AgentConnection, connectAgent, type Transport } from "@acp-kit/client";
import { essentialEnvironment, type FileAccess, workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";

/** `accesses` contains every file access of the agent, `shown` the output of its commands. The demo checks both. */
export const accesses: FileAccess[] = [];
export const shown: string[] = [];

// #region client
/** Gives an agent access to the folders of its sessions, and to no other folder. */
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
