import { Argument, Command, Option } from "commander";
import type { AgentCommand, AgentTarget } from "./agent-target.js";
import type { NameOptions } from "./agents/resolve-name.js";
import { type CommandFailure, usageFailure } from "./command-failure.js";
import type { Host } from "./host.js";
import { type RemoteOptions, remoteTarget, tokenFileOption, tokenOption, urlOption } from "./remote-options.js";

/** The option of {@link CommandWithAgent.addAgentOption}. */
export interface AgentNameOption {
  /** The name of an agent, instead of a command after `--`. */
  readonly agent?: string;
}

/** Options of {@link CommandWithAgent}. */
export interface AgentCommandOptions {
  /**
   * An argument of the command itself, such as `prompt`. The words before `--` are then this argument. Without this
   * option, these words name the agent: by its name or, if there is no `--`, by its command line.
   */
  readonly before?: { readonly name: string; readonly description: string };
  /** The name of the parent command of a subcommand, such as `conformance`, for the usage line of the help. */
  readonly parent?: string;
}

/**
 * A command of `acp-kit` that takes an agent's command line after `--`. Everything after `--` belongs to the agent,
 * including options, and commander does not parse it.
 */
export class CommandWithAgent extends Command {
  /** The words after `--`; `undefined` if there is no `--`. */
  #behind: readonly string[] | undefined;
  readonly #before: AgentCommandOptions["before"];

  constructor(name: string, { before, parent }: AgentCommandOptions = {}) {
    super(name);
    this.#before = before;
    const path = parent === undefined ? name : `${parent} ${name}`;
    if (before === undefined) {
      this.usage(
        `[options] <agent name> [-- <agent arguments…>]\n       acp-kit ${path} [options] -- <agent command…>`,
      ).passThroughOptions();
      this.addArgument(new Argument("[agent...]", "the name of an agent, such as `gemini`, or its command"));
    } else {
      this.usage(
        `[options] [${before.name}] --agent <name> [-- <agent arguments…>]\n       acp-kit ${path} [options] [${before.name}] -- <agent command…>`,
      );
      this.addArgument(new Argument(`[${before.name}...]`, before.description));
    }
  }

  /** Adds `--agent`, for commands that call {@link agentOf}. */
  addAgentOption(): this {
    return this.addOption(new Option("-a, --agent <name>", "the name of an agent; words after `--` are its arguments"));
  }

  /** Adds `--agent` and the options of {@link RemoteOptions}, for commands that call {@link targetOf}. */
  addRemoteOptions(): this {
    return this.addAgentOption().addOption(urlOption()).addOption(tokenOption()).addOption(tokenFileOption());
  }

  override parseOptions(words: string[]): ReturnType<Command["parseOptions"]> {
    const at = words.indexOf("--");
    if (at < 0) return super.parseOptions(words);
    this.#behind = words.slice(at + 1);
    return super.parseOptions(words.slice(0, at));
  }

  /**
   * Returns the agent that the command line names: by its name, by a command after `--`, or by a URL after `--url`.
   * Installs an agent of the registry that is not on this machine.
   *
   * @param words the words before `--`, which commander passes to the action as its first argument.
   * @throws {CommandFailure} when the command line names no agent, or two agents.
   * @throws {RegistryError} when the agent is unknown, or can't be installed.
   */
  async targetOf(words: readonly string[], options: RemoteOptions & AgentNameOption, host: Host): Promise<AgentTarget> {
    const { url, token, tokenFile } = options;
    if (url === undefined) {
      if (token === undefined && tokenFile === undefined) return await this.agentOf(words, options, host);
      throw usageFailure('"--token" and "--token-file" need --url: the token is for the agent at that URL.');
    }
    if (options.agent !== undefined) throw usageFailure("--url and --agent both name an agent. Give one of them.");
    if (this.namesAgent(words))
      throw usageFailure("--url and a command after -- both name an agent. Give one of them.");
    return remoteTarget(url, options, host);
  }

  /**
   * Returns whether the words of the command line name an agent, by its name or command. Ignores the options `--agent`
   * and `--url`.
   *
   * @param words the words before `--`, which commander passes to the action as its first argument.
   */
  namesAgent(words: readonly string[]): boolean {
    return this.#behind !== undefined || (this.#before === undefined && words.length > 0);
  }

  /**
   * Returns the agent that the command line names, by its name or by a command.
   *
   * @param words the words before `--`, which commander passes to the action as its first argument.
   * @throws {CommandFailure} when the command line names no agent, or two agents.
   * @throws {RegistryError} when the agent is unknown, or can't be installed.
   */
  async agentOf(words: readonly string[], { agent }: AgentNameOption, host: Host): Promise<AgentCommand> {
    const takesWords = this.#before !== undefined;
    const [first, ...more] = takesWords ? [] : words;
    if (agent !== undefined) {
      if (first !== undefined)
        throw usageFailure(`--agent and "${words.join(" ")}" both name an agent. Give one of them.`);
      return await byName(agent, { args: this.#behind ?? [], mayBeProgram: false }, host);
    }
    // One word without a slash is the name of an agent. If no source has an agent of that name, the word is a program.
    const isName = first !== undefined && more.length === 0 && !/[/\\]/.test(first);
    if (isName)
      return await byName(first, { args: this.#behind ?? [], mayBeProgram: this.#behind === undefined }, host);
    if (this.#behind !== undefined && first !== undefined) {
      throw usageFailure(
        `"${words.join(" ")}" is before --, where ${this.name()} accepts only options and the name of an agent. Put the agent's whole command after --.`,
      );
    }
    const [command, ...args] = this.#behind ?? (takesWords ? [] : words);
    if (command === undefined || command === "") throw this.#missing();
    return { command, args };
  }

  #missing(): CommandFailure {
    return usageFailure(
      `The agent is missing. Give its name, as in: acp-kit ${this.#fullName()} --agent gemini\n` +
        `or its command after --, as in: acp-kit ${this.#fullName()} -- gemini --acp\n` +
        "`acp-kit agents` lists agents; `acp-kit demo-agent` is a built-in agent for trying.",
    );
  }

  /** Returns the name of the command with its parent, such as `conformance agent`. */
  #fullName(): string {
    const parent = this.parent;
    return parent?.parent ? `${parent.name()} ${this.name()}` : this.name();
  }
}

/** Finds an agent by its name. The registry is imported only here: an agent given by its command needs none. */
async function byName(name: string, options: NameOptions, host: Host): Promise<AgentCommand> {
  const { resolveName } = await import("./agents/resolve-name.js");
  return await resolveName(name, options, host);
}
