import { type Command, Option } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { isRemote } from "../agent-target.js";
import { chooseAgent } from "../agents/choose-agent.js";
import { withAgentSettings } from "../agents/with-agent-settings.js";
import { runChat } from "../chat/run-chat.js";
import { usageFailure } from "../command-failure.js";
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

interface ChatOptions extends RemoteOptions, AgentNameOption {
  readonly localAccess?: boolean;
  readonly cwd?: string;
  readonly permissions: PermissionPolicy;
  readonly session?: string;
  readonly continue?: boolean;
  readonly mode?: string;
  readonly model?: string;
  readonly mcp?: string;
  readonly protocol: ProtocolChoice;
  readonly use?: readonly string[];
  readonly timeout?: number;
  readonly logLevel?: LogLevel;
  readonly showSecrets?: boolean;
}

/** `acp-kit chat`: an interactive conversation with an agent. */
export function chatCommand(host: Host): Command {
  const command = new CommandWithAgent("chat");
  return command
    .summary("chat with an agent in the terminal")
    .description(
      "Starts an agent for an interactive conversation. The agent can use files and terminals only in --cwd.\n" +
        "If standard input is a pipe, each line is a prompt, a command, or the reply to the last question.\n" +
        "Without an agent, the command lists the agents of this machine to choose from.",
    )
    .addRemoteOptions()
    .addOption(localAccessOption())
    .addOption(
      sessionCwdOption("the agent's working directory, and the only one in which it can use files and terminals"),
    )
    .addOption(
      new Option("--permissions <who>", "how to decide permission requests")
        .choices(permissionPolicies)
        .default("ask", "ask: prompt you"),
    )
    .option(
      "--session <id>",
      "the id of a previous session to continue; it is resumed if the agent supports that, otherwise loaded",
    )
    .option("-c, --continue", "continue the last session of this agent in this folder")
    .option("--mode <id>", "the session mode, by its id or name")
    .option("--model <id>", "the model to use, by its id or name")
    .option("--mcp <file>", 'MCP servers for the session, as JSON: { "mcpServers": { … } } or a list')
    .addOption(protocolOption("1"))
    .addOption(useOption())
    .addOption(timeoutOption("cancel a turn after this many seconds; 0: never"))
    .addOption(logLevelOption())
    .addOption(showSecretsOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ChatOptions) => {
      const isNamed = command.namesAgent(words) || options.agent !== undefined || options.url !== undefined;
      const target = isNamed ? options : { ...options, agent: await chooseAgent(host) };
      const agent = await command.targetOf(words, target, host);
      const cwd = sessionDirectory(agent, options, host);
      if (options.continue && options.session !== undefined) {
        throw usageFailure("--continue and --session both name a session. Give one of them.");
      }
      if (options.showSecrets) host.redactor = undefined;
      const mcpServers = options.mcp === undefined ? [] : readMcpFile(options.mcp);
      const proxies = await loadProxies(options.use, host);
      const { session, timeout = 0, showSecrets = false } = options;
      const { permissions, mode, model, defaults } = withAgentSettings(command, options, agent, host);
      host.exitCode = await runChat(
        {
          agent,
          protocol: options.protocol,
          proxies,
          setup: { cwd, mcpServers },
          cwd: isRemote(agent) && !options.localAccess ? host.cwd : cwd,
          localAccess: options.localAccess === true || !isRemote(agent),
          permissions,
          sessionId: session,
          continueLast: options.continue === true,
          mode,
          model,
          defaults,
          timeoutMs: timeout,
          showSecrets,
        },
        host,
        options.logLevel ?? "warn",
      );
    });
}

const afterHelp = `
In the chat, /help lists its commands and keys. Esc or Ctrl-C cancels a turn; Ctrl-C twice quits.

Examples:
  acp-kit chat gemini
  acp-kit chat -- gemini --acp
  acp-kit chat --continue -- gemini --acp
  acp-kit chat --mode plan --cwd ~/project -- claude-agent-acp
  acp-kit chat -- acp-kit demo-agent
  acp-kit chat --url wss://agents.example.com/acp --token-file token`;
