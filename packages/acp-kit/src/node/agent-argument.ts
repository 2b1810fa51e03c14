import { Argument, Command } from "commander";
import type { AgentTarget } from "./agent-target.js";
import { usageFailure } from "./command-failure.js";
import type { Host } from "./host.js";
import { type RemoteOptions, remoteTarget } from "./remote-options.js";

/** How an agent is started: a program and its arguments. Never a shell line. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Describes the arguments of a command before `--`. */
export interface AgentCommandOptions {
  /** The argument before `--`, such as `prompt`. Without it, words there are the agent's command line if there is no `--`, and an error if there is one. */
  readonly before?: { readonly name: string; readonly description: string };
}

/**
 * A command that takes an agent's command line after `--`. Everything after it belongs to the agent, options included, and commander
 * never sees it.
 */
export class CommandWithAgent extends Command {
  /** The words after `--`; `undefined` without a `--`. */
  #behind: readonly string[] | undefined;
  readonly #before: AgentCommandOptions["before"];

  constructor(name: string, { before }: AgentCommandOptions = {}) {
    super(name);
    this.#before = before;
    if (before === undefined) {
      this.usage("[options] -- <agent command…>").passThroughOptions();
      this.addArgument(new Argument("[agent...]", "the command that starts the agent, such as `gemini --acp`"));
    } else {
      this.usage(`[options] [${before.name}] -- <agent command…>`);
      this.addArgument(new Argument(`[${before.name}...]`, before.description));
    }
  }

  override parseOptions(words: string[]): ReturnType<Command["parseOptions"]> {
    const at = words.indexOf("--");
    if (at < 0) return super.parseOptions(words);
    this.#behind = words.slice(at + 1);
    return super.parseOptions(words.slice(0, at));
  }

  /**
   * The agent: its command line, or the one behind `--url`.
   *
   * @param words the first argument of the action.
   * @throws {CommandFailure} when there is none, or there are both.
   */
  targetOf(words: readonly string[], options: RemoteOptions, host: Host): AgentTarget {
    const { url, token, tokenFile } = options;
    const hasCommand = this.namesAgent(words);
    if (url === undefined) {
      if (token === undefined && tokenFile === undefined) return this.agentOf(words);
      throw usageFailure("A token is for the agent of --url, and there is no --url.");
    }
    if (hasCommand) throw usageFailure("--url and a command behind -- both name an agent. Give one of them.");
    return remoteTarget(url, options, host);
  }

  /**
   * Whether there is a command line of an agent.
   *
   * @param words the first argument of the action.
   */
  namesAgent(words: readonly string[]): boolean {
    return this.#behind !== undefined || (this.#before === undefined && words.length > 0);
  }

  /**
   * The agent's command line.
   *
   * @param words the first argument of the action.
   * @throws {CommandFailure} when there is none.
   */
  agentOf(words: readonly string[]): AgentCommand {
    const takesWords = this.#before !== undefined;
    if (this.#behind !== undefined && words.length > 0 && !takesWords) {
      throw usageFailure(
        `"${words.join(" ")}" is before --, where ${this.name()} takes only options: put the agent's whole command line after it.`,
      );
    }
    const [command, ...args] = this.#behind ?? (takesWords ? [] : words);
    if (command === undefined || command === "") {
      throw usageFailure(
        `The agent is missing. Put the command that starts it after --, as in: acp-kit ${this.#fullName()} -- gemini --acp\n` +
          "`acp-kit agents` lists known agents; `acp-kit demo-agent` is one to try.",
      );
    }
    return { command, args };
  }

  /** Without the name of the program. */
  #fullName(): string {
    const parent = this.parent;
    return parent?.parent ? `${parent.name()} ${this.name()}` : this.name();
  }
}
