import { type Command, Option } from "commander";
import { CommandWithAgent } from "../agent-argument.js";
import { runChat } from "../chat/run-chat.js";
import type { Host } from "../host.js";
import type { LogLevel } from "../log.js";
import { readMcpFile } from "../run/mcp-file.js";
import { type PermissionPolicy, permissionPolicies } from "../run/permission-policy.js";
import { cwdOption, logLevelOption, showSecretsOption, timeoutOption } from "../shared-options.js";

interface ChatOptions {
  readonly cwd?: string;
  readonly permissions: PermissionPolicy;
  readonly session?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly mcp?: string;
  readonly timeout?: number;
  readonly logLevel?: LogLevel;
  readonly showSecrets?: boolean;
}

/** `acp-kit chat`: a conversation with an agent, for people. */
export function chatCommand(host: Host): Command {
  const command = new CommandWithAgent("chat");
  return command
    .summary("talk to an agent in the terminal")
    .description(
      "Starts an agent and holds a conversation with it. Its files and terminals are served from --cwd.\n" +
        "Over a pipe each line is a prompt, a command, or the answer to what was just asked.",
    )
    .addOption(cwdOption("where the agent works, and the only place where it gets files and terminals"))
    .addOption(
      new Option("--permissions <who>", "who decides when the agent asks")
        .choices(permissionPolicies)
        .default("ask", "ask: you"),
    )
    .option("--session <id>", "go on with a session of before: resumed if the agent can, else loaded")
    .option("--mode <id>", "the mode to work in")
    .option("--model <id>", "the model to use")
    .option("--mcp <file>", 'MCP servers for the session, as JSON: { "mcpServers": { … } } or a list')
    .addOption(timeoutOption("cancel a turn after that many seconds; 0: never"))
    .addOption(logLevelOption())
    .addOption(showSecretsOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ChatOptions) => {
      const agent = command.agentOf(words);
      const mcpServers = options.mcp === undefined ? [] : readMcpFile(options.mcp);
      const { permissions, session, mode, model, timeout = 0, showSecrets = false } = options;
      host.exitCode = await runChat(
        {
          agent,
          setup: { cwd: options.cwd ?? host.cwd, mcpServers },
          permissions,
          sessionId: session,
          mode,
          model,
          timeoutMs: timeout,
          showSecrets,
        },
        host,
        options.logLevel ?? "warn",
      );
    });
}

const afterHelp = `
In the chat, /help lists its commands and keys. Ctrl-C cancels a turn, twice leaves.

Examples:
  acp-kit chat -- gemini --acp
  acp-kit chat --mode plan --cwd ~/project -- claude-agent-acp
  acp-kit chat -- acp-kit demo-agent`;
