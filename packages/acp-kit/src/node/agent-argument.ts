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

/** What a command with an agent can say about the words that stand before `--`. */
export interface AgentCommandOptions {
  /** What these words are, such as `prompt`. Without it they are the agent's command line if there is no `--`, and an error if there is. */
  readonly before?: { readonly name: string; readonly description: string };
}

/**
 * A command that takes an agent's own command line behind `--`. Everything from there on is the agent's, options included, and commander
 * never sees it.
 */
export class CommandWithAgent extends Command {
  /** What stands behind `--`; `undefined` when there is none. */
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
    const hasCommand = this.#behind !== undefined || (this.#before === undefined && words.length > 0);
    if (url === undefined) {
      if (token === undefined && tokenFile === undefined) return this.agentOf(words);
      throw usageFailure("A token is for the agent of --url, and there is no --url.");
    }
    if (hasCommand) throw usageFailure("--url and a command behind -- both name an agent. Give one of them.");
    return remoteTarget(url, options, host);
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
        `"${words.join(" ")}" stands before --, where ${this.name()} takes options only: the agent's whole command line goes behind it.`,
      );
    }
    const [command, ...args] = this.#behind ?? (takesWords ? [] : words);
    if (command === undefined || command === "") {
      throw usageFailure(
        `Which agent? Put the command that starts it behind --, as in: acp-kit ${this.#fullName()} -- gemini --acp\n` +
          "`acp-kit agents` lists the agents that are known, and `acp-kit demo-agent` is one to try.",
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
