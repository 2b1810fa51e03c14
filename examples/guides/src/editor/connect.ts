// #region connect
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";
import { editorFiles } from "./buffers.js";
import { type Ask, editorPermissions } from "./permissions.js";

/** The settings of a user. */
export interface AgentSettings {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function startAgent(settings: AgentSettings, workspace: string, ask: Ask): Promise<AgentConnection> {
  const process = spawnAgent({ ...settings, onStderr: (line) => log(`agent: ${line}`) });
  return connectAgent(process, {
    info: { name: "my-editor", title: "My Editor", version: "1.0.0" },
    files: editorFiles(workspace),
    permissions: editorPermissions(ask),
    supports: { booleanConfigOptions: true, notices: true },
    onDiagnostic: ({ code, message }) => log(`${code}: ${message}`),
  });
}
// #endregion connect

/** The lines in the log window of the editor. */
export const logged: string[] = [];
function log(line: string): void {
  logged.push(line);
}
