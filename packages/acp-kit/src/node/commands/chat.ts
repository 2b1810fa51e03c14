import type { Command } from "commander";
import { CommandWithAgent } from "../agent-argument.js";
import { isRemote } from "../agent-target.js";
import { chooseAgent } from "../agents/choose-agent.js";
import { runChat } from "../chat/run-chat.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { addSessionOptions, chosenSession, type SessionCommandOptions } from "./session-options.js";

interface ChatOptions extends SessionCommandOptions {
  readonly continue?: boolean;
}

/** `acp-kit chat`: an interactive conversation with an agent. */
export function chatCommand(host: Host): Command {
  const command = new CommandWithAgent("chat");
  command
    .summary("chat with an agent in the terminal")
    .description(
      "Starts an agent for an interactive conversation. The agent can use files and terminals only in --cwd.\n" +
        "If standard input is a pipe, each line is a prompt, a command, or the reply to the last question.\n" +
        "Without an agent, the command lists the agents of this machine to choose from.",
    );
  return addSessionOptions(command, { ask: "prompt you", timeout: "cancel a turn after this many seconds; 0: never" })
    .option("-c, --continue", "continue the last session of this agent in this folder")
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ChatOptions) => {
      const isNamed = command.namesAgent(words) || options.agent !== undefined || options.url !== undefined;
      const target = isNamed ? options : { ...options, agent: await chooseAgent(host) };
      const agent = await command.targetOf(words, target, host);
      if (options.continue && options.session !== undefined) {
        throw usageFailure("--continue and --session both name a session. Give one of them.");
      }
      const { cwd, mcpServers, ...chosen } = await chosenSession(command, agent, options, host);
      host.exitCode = await runChat(
        {
          ...chosen,
          setup: { cwd, mcpServers },
          cwd: isRemote(agent) && !options.localAccess ? host.cwd : cwd,
          continueLast: options.continue === true,
          timeoutMs: options.timeout ?? 0,
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
