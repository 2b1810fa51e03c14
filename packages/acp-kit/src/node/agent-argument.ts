import { Argument, Command } from "commander";
import type { AgentTarget } from "./agent-target.js";
import { usageFailure } from "./command-failure.js";
import type { Host } from "./host.js";
import { type RemoteOptions, remoteTarget, tokenFileOption, tokenOption, urlOption } from "./remote-options.js";

/** The command that starts an agent: a program and its arguments. It is never a line for a shell. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Describes the arguments of a command that come before `--`. */
export interface AgentCommandOptions {
  /**
   * The name of the argument before `--`, such as `prompt`. If it is absent, words are the agent's command line if
   * there is no `--`, and an error if there is one.
   */
  readonly before?: { readonly name: string; readonly description: string };
}

/**
 * A command of `acp-kit` that takes an agent's command line after `--`. Everything after `--` belongs to the agent,
 * including options, and commander does not parse it.
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

  /** Adds the options of {@link RemoteOptions}, for commands that call {@link targetOf}. */
  addRemoteOptions(): this {
    return this.addOption(urlOption()).addOption(tokenOption()).addOption(tokenFileOption());
  }

  override parseOptions(words: string[]): ReturnType<Command["parseOptions"]> {
    const at = words.indexOf("--");
    if (at < 0) return super.parseOptions(words);
    this.#behind = words.slice(at + 1);
    return super.parseOptions(words.slice(0, at));
  }

  /**
   * Returns the agent that the command line names: a command after `--`, or a URL after `--url`.
   *
   * @param words the first argument of the action.
   * @throws {CommandFailure} when the command line names no agent, or two.
   */
  targetOf(words: readonly string[], options: RemoteOptions, host: Host): AgentTarget {
    const { url, token, tokenFile } = options;
    const hasCommand = this.namesAgent(words);
    if (url === undefined) {
      if (token === undefined && tokenFile === undefined) return this.agentOf(words);
      throw usageFailure("--token and --token-file need --url: they hold the token for the agent at that URL.");
    }
    if (hasCommand) throw usageFailure("--url and a command after -- both name an agent. Give one of them.");
    return remoteTarget(url, options, host);
  }

  /**
   * Whether the command line names the command of an agent.
   *
   * @param words the first argument of the action.
   */
  namesAgent(words: readonly string[]): boolean {
    return this.#behind !== undefined || (this.#before === undefined && words.length > 0);
  }

  /**
   * Returns the agent's command line.
   *
   * @param words the first argument of the action.
   * @throws {CommandFailure} when the command line names no agent.
   */
  agentOf(words: readonly string[]): AgentCommand {
    const takesWords = this.#before !== undefined;
    if (this.#behind !== undefined && words.length > 0 && !takesWords) {
      throw usageFailure(
        `"${words.join(" ")}" is before --, where ${this.name()} accepts only options: put the agent's whole command line after --.`,
      );
    }
    const [command, ...args] = this.#behind ?? (takesWords ? [] : words);
    if (command === undefined || command === "") {
      throw usageFailure(
        `The agent is missing. Put the command that starts the agent after --, as in: acp-kit ${this.#fullName()} -- gemini --acp\n` +
          "`acp-kit agents` lists known agents; `acp-kit demo-agent` is an agent to try.",
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
