import { type Command, Option } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { isRemote } from "../agent-target.js";
import { withAgentSettings } from "../agents/with-agent-settings.js";
import type { Host } from "../host.js";
import { createLog, defaultLogLevel, type LogLevel } from "../log.js";
import { type ProtocolChoice, protocolOption } from "../protocol-version.js";
import { localAccessOption, type RemoteOptions } from "../remote-options.js";
import { agentAndPrompt } from "../run/agent-and-prompt.js";
import { readMcpFile } from "../run/mcp-file.js";
import { type PermissionPolicy, permissionPolicies } from "../run/permission-policy.js";
import { readPrompt } from "../run/prompt-text.js";
import { type RunFormat, runFormats } from "../run/run-format.js";
import { runPrompt } from "../run/run-prompt.js";
import {
  logLevelOption,
  sessionCwdOption,
  sessionDirectory,
  showSecretsOption,
  timeoutOption,
} from "../shared-options.js";
import { loadProxies, useOption } from "../use-proxies.js";

interface RunOptions extends RemoteOptions, AgentNameOption {
  readonly prompt?: string;
  readonly localAccess?: boolean;
  readonly cwd?: string;
  readonly permissions: PermissionPolicy;
  readonly session?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly mcp?: string;
  readonly use?: readonly string[];
  readonly format: RunFormat;
  readonly protocol: ProtocolChoice;
  readonly timeout?: number;
  readonly logLevel?: LogLevel;
  readonly showSecrets?: boolean;
}

/** `acp-kit run`: sends one prompt, for scripts. */
export function runCommand(host: Host): Command {
  const command = new CommandWithAgent("run", {
    before: { name: "prompt", description: "the prompt (default: all of standard input)" },
  });
  return command
    .usage(
      "[options] <agent name> <prompt>\n       acp-kit run [options] [prompt] --agent <name> [-- <agent arguments…>]\n" +
        "       acp-kit run [options] [prompt] -- <agent command…>",
    )
    .summary("send an agent one prompt and print the result: for scripts")
    .description(
      "Starts an agent, sends it one prompt, prints the result on standard output and ends the agent.\n" +
        "The agent can use files and terminals only in --cwd. Logs go to standard error.",
    )
    .option("-p, --prompt <text>", "the prompt, as an option")
    .addRemoteOptions()
    .addOption(localAccessOption())
    .addOption(
      sessionCwdOption("the agent's working directory, and the only one in which it can use files and terminals"),
    )
    .addOption(
      new Option("--permissions <who>", "how to decide permission requests")
        .choices(permissionPolicies)
        .default("ask", "ask: prompt you; without a terminal, cancel the request"),
    )
    .option(
      "--session <id>",
      "the id of a previous session to continue; it is resumed if the agent supports that, otherwise loaded",
    )
    .option("--mode <id>", "the session mode, by its id or name")
    .option("--model <id>", "the model to use, by its id or name")
    .option("--mcp <file>", 'MCP servers for the session, as JSON: { "mcpServers": { … } } or a list')
    .addOption(useOption())
    .addOption(new Option("--format <format>", "the output format").choices(runFormats).default("text"))
    .addOption(protocolOption("1"))
    .addOption(timeoutOption("cancel the turn and stop after this many seconds; 0: never"))
    .addOption(logLevelOption())
    .addOption(showSecretsOption())
    .addHelpText("after", afterHelp)
    .action(async (given: string[], options: RunOptions) => {
      const isNamed = command.namesAgent(given) || options.agent !== undefined || options.url !== undefined;
      const { agent: name, prompt: words } = isNamed
        ? { agent: options.agent, prompt: given }
        : agentAndPrompt(given, { hasOption: options.prompt !== undefined });
      const agent = await command.targetOf(words, name === undefined ? options : { ...options, agent: name }, host);
      const cwd = sessionDirectory(agent, options, host);
      if (options.showSecrets) host.redactor = undefined;
      const mcpServers = options.mcp === undefined ? [] : readMcpFile(options.mcp);
      const proxies = await loadProxies(options.use, host);
      const prompt = await readPrompt({ words, option: options.prompt }, host);
      const { format } = options;
      const { permissions, mode, model, defaults } = withAgentSettings(command, options, agent, host);
      host.exitCode = await runPrompt(
        {
          agent,
          protocol: options.protocol,
          proxies,
          prompt,
          cwd,
          localAccess: options.localAccess === true || !isRemote(agent),
          permissions,
          format,
          sessionId: options.session,
          mode,
          model,
          defaults,
          mcpServers,
          timeoutMs: options.timeout,
          showSecrets: options.showSecrets === true,
        },
        host,
        createLog(host, options.logLevel ?? defaultLogLevel(host)),
      );
    });
}

const afterHelp = `
Formats:
  text    the text of the agent's messages, as it streams
  json    one object at the end: stopReason, text, sessionId, toolCalls, plan, usage, updates,
          permissions, agent, protocolVersion, durationMs
  jsonl   every message on the wire: {"t":ms,"from":"client"|"agent","message":{…}}

Exit codes:
  0 end_turn   1 other error   2 wrong command line or file   3 agent not started, not reachable, or ended
  4 refusal or a limit   5 timeout   6 login needed   130 cancelled

Examples:
  acp-kit run gemini "Explain this project"
  acp-kit run "Explain this project" -- gemini --acp
  git diff | acp-kit run --permissions reads --format json -- opencode acp
  acp-kit run "Go on" --session "$ID" --timeout 300 -- claude-agent-acp
  ACP_TOKEN="$(cat token)" acp-kit run "Hello" --url https://agents.example.com/acp`;
