import { Argument, type Command } from "commander";
import { usageFailure } from "./command-failure.js";

/** How an agent is started: a program and its arguments. Never a shell line. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Lets a command take the agent's own command line behind `--`. Everything from there on is the agent's, options included; read it with
 * {@link agentCommand} in the action, whose first argument it is.
 */
export function takesAgent(command: Command): Command {
  return command
    .usage("[options] -- <agent command…>")
    .passThroughOptions()
    .addArgument(new Argument("[agent...]", "the command that starts the agent, such as `gemini --acp`"));
}

/** @throws {CommandFailure} when there is none. */
export function agentCommand(words: readonly string[], name: string): AgentCommand {
  const [command, ...args] = words;
  if (command === undefined || command === "") {
    throw usageFailure(
      `Which agent? Put the command that starts it behind --, as in: acp-kit ${name} -- gemini --acp\n` +
        "`acp-kit agents` lists the agents that are known, and `acp-kit demo-agent` is one to try.",
    );
  }
  return { command, args };
}
