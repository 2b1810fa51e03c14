import { type Command, Option } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { bridgeAgent } from "../bridge/bridge-agent.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { createLog, type LogLevel } from "../log.js";
import { ownStreams } from "../record/own-streams.js";
import { cwdOption, logLevelOption } from "../shared-options.js";

interface BridgeOptions extends AgentNameOption {
  readonly prefer?: "1" | "2";
  readonly strict?: boolean;
  readonly cwd?: string;
  readonly logLevel?: LogLevel;
}

/** `acp-kit bridge`: makes an agent available to clients that speak another version of the protocol. */
export function bridgeCommand(host: Host): Command {
  const command = new CommandWithAgent("bridge");
  return command
    .summary("let a client use an agent that speaks another version of the protocol")
    .description(
      "Put this command before the agent's command in a client's settings. If the client speaks version 1 of the protocol and the agent " +
        "version 2, or the reverse, the command converts all messages. Otherwise, it forwards them unchanged. On standard error, it reports what the " +
        "versions can't express, once for each kind.",
    )
    .addAgentOption()
    .addOption(
      new Option(
        "--prefer <version>",
        "the version to request from an agent that speaks both (default: that of the client)",
      ).choices(["1", "2"]),
    )
    .option("--strict", "refuse requests that can't be converted without loss")
    .addOption(cwdOption("the working directory of the agent's process"))
    .addOption(logLevelOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], { prefer, strict = false, ...options }: BridgeOptions) => {
      const agent = await command.agentOf(words, options, host);
      host.redactor?.learn({ env: agent.env }); // the agent may log its keys
      using interrupts = listenForInterrupts(host);
      const { stdin: input, stdout: output } = ownStreams();
      await bridgeAgent(agent, {
        ...(prefer !== undefined && { prefer: prefer === "1" ? 1 : 2 }),
        strict,
        cwd: options.cwd ?? host.cwd,
        input,
        output,
        stop: interrupts.stop,
        log: createLog(host, options.logLevel ?? "warn"),
      });
      host.exitCode = ExitCode.ok;
    });
}

const afterHelp = `
Exit codes:
  0 the client closed standard input, or a signal ended the command   2 wrong command line or file
  3 the agent can't be started, or its process ended

Examples:
  acp-kit run "Explain this project" -- acp-kit bridge --prefer 2 -- my-agent --acp
  In an editor's settings: "command": "acp-kit", "args": ["bridge", "--", "my-agent", "--acp"]`;
