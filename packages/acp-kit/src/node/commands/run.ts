import { type Command, Option } from "commander";
import { CommandWithAgent } from "../agent-argument.js";
import type { Host } from "../host.js";
import { createLog, defaultLogLevel } from "../log.js";
import { agentAndPrompt } from "../run/agent-and-prompt.js";
import { readPrompt } from "../run/prompt-text.js";
import { type RunFormat, runFormats } from "../run/run-format.js";
import { runPrompt } from "../run/run-prompt.js";
import { addSessionOptions, chosenSession, type SessionCommandOptions } from "./session-options.js";

interface RunOptions extends SessionCommandOptions {
  readonly prompt?: string;
  readonly format: RunFormat;
}

/** `acp-kit run`: sends one prompt, for scripts. */
export function runCommand(host: Host): Command {
  const command = new CommandWithAgent("run", {
    before: { name: "prompt", description: "the prompt (default: all of standard input)" },
  });
  command
    .usage(
      "[options] <agent name> <prompt>\n       acp-kit run [options] [prompt] --agent <name> [-- <agent arguments…>]\n" +
        "       acp-kit run [options] [prompt] -- <agent command…>",
    )
    .summary("send an agent one prompt and print the result: for scripts")
    .description(
      "Starts an agent, sends it one prompt, prints the result on standard output and ends the agent.\n" +
        "The agent can use files and terminals only in --cwd. Logs go to standard error.",
    )
    .option("-p, --prompt <text>", "the prompt, as an option");
  return addSessionOptions(command, {
    ask: "prompt you; without a terminal, cancel the request",
    timeout: "cancel the turn and stop after this many seconds; 0: never",
  })
    .addOption(new Option("--format <format>", "the output format").choices(runFormats).default("text"))
    .addHelpText("after", afterHelp)
    .action(async (given: string[], options: RunOptions) => {
      const isNamed = command.namesAgent(given) || options.agent !== undefined || options.url !== undefined;
      const { agent: name, prompt: words } = isNamed
        ? { agent: options.agent, prompt: given }
        : agentAndPrompt(given, { hasOption: options.prompt !== undefined });
      const agent = await command.targetOf(words, name === undefined ? options : { ...options, agent: name }, host);
      const chosen = await chosenSession(command, agent, options, host);
      const prompt = await readPrompt({ words, option: options.prompt }, host);
      host.exitCode = await runPrompt(
        { ...chosen, prompt, format: options.format, timeoutMs: options.timeout },
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
