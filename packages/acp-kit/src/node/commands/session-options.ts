import type { AcpProxy } from "@acp-kit/proxy";
import type { McpServer } from "@acp-kit/types";
import { Option } from "commander";
import type { AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { type AgentTarget, isRemote } from "../agent-target.js";
import { type MergedOptions, withAgentSettings } from "../agents/with-agent-settings.js";
import type { Host } from "../host.js";
import type { LogLevel } from "../log.js";
import { type ProtocolChoice, protocolOption } from "../protocol-version.js";
import { localAccessOption, type RemoteOptions } from "../remote-options.js";
import { readMcpFile } from "../run/mcp-file.js";
import { type PermissionPolicy, permissionPolicies } from "../run/permission-policy.js";
import {
  logLevelOption,
  sessionCwdOption,
  sessionDirectory,
  showSecretsOption,
  timeoutOption,
} from "../shared-options.js";
import { loadProxies, useOption } from "../use-proxies.js";

/** The options of the commands that open a session. */
export interface SessionCommandOptions extends RemoteOptions, AgentNameOption {
  readonly localAccess?: boolean;
  readonly cwd?: string;
  readonly permissions: PermissionPolicy;
  readonly session?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly mcp?: string;
  readonly protocol: ProtocolChoice;
  readonly use?: readonly string[];
  readonly timeout?: number;
  readonly logLevel?: LogLevel;
  readonly showSecrets?: boolean;
}

/** The help of the options that differ between the commands. */
interface Help {
  /** The meaning of the policy `ask`. */
  readonly ask: string;
  readonly timeout: string;
}

/** Adds the options of {@link SessionCommandOptions} to a command. */
export function addSessionOptions(command: CommandWithAgent, { ask, timeout }: Help): CommandWithAgent {
  return command
    .addRemoteOptions()
    .addOption(localAccessOption())
    .addOption(
      sessionCwdOption("the agent's working directory, and the only one in which it can use files and terminals"),
    )
    .addOption(
      new Option("--permissions <who>", "how to decide permission requests")
        .choices(permissionPolicies)
        .default("ask", `ask: ${ask}`),
    )
    .option(
      "--session <id>",
      "the id of a previous session to continue; it is resumed if the agent supports that, otherwise loaded",
    )
    .option("--mode <id>", "the session mode, by its id or name")
    .option("--model <id>", "the model to use, by its id or name")
    .option("--mcp <file>", 'MCP servers for the session, as JSON: { "mcpServers": { … } } or a list')
    .addOption(protocolOption("1"))
    .addOption(useOption())
    .addOption(timeoutOption(timeout))
    .addOption(logLevelOption())
    .addOption(showSecretsOption());
}

/** The agent and the session that the options choose. */
export interface ChosenSession extends MergedOptions {
  readonly agent: AgentTarget;
  readonly protocol: ProtocolChoice;
  readonly proxies: readonly AcpProxy[];
  readonly cwd: string;
  readonly localAccess: boolean;
  readonly sessionId: string | undefined;
  readonly mcpServers: readonly McpServer[];
  readonly showSecrets: boolean;
}

/**
 * Reads the files that the options name, and the settings of the agent.
 *
 * @throws {CommandFailure} when an option is wrong.
 */
export async function chosenSession(
  command: CommandWithAgent,
  agent: AgentTarget,
  options: SessionCommandOptions,
  host: Host,
): Promise<ChosenSession> {
  const { localAccess = false, mcp, protocol, session, showSecrets = false } = options;
  const cwd = sessionDirectory(agent, options, host);
  if (showSecrets) host.redactor = undefined;
  return {
    agent,
    protocol,
    cwd,
    mcpServers: mcp === undefined ? [] : readMcpFile(mcp),
    proxies: await loadProxies(options.use, host),
    localAccess: localAccess || !isRemote(agent),
    sessionId: session,
    showSecrets,
    ...withAgentSettings(command, options, agent, host),
  };
}
