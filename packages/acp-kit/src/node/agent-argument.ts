import type { AgentIdentity } from "@acp-kit/registry";
import { Argument, Command, Option } from "commander";
import type { AgentTarget } from "./agent-target.js";
import type { NameOptions } from "./agents/resolve-name.js";
import { type CommandFailure, usageFailure } from "./command-failure.js";
import type { Host } from "./host.js";
import { type RemoteOptions, remoteTarget, tokenFileOption, tokenOption, urlOption } from "./remote-options.js";

/** The command that starts an agent: a program and its arguments. It is never a line for a shell. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that it needs, beside those that it inherits. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long it may send nothing after its start, and take to exit, in milliseconds. */
  readonly startTimeoutMs?: number;
  readonly exitGraceMs?: number;
  /** Who it is, if it was found by its name. */
  readonly identity?: AgentIdentity;
}

/** The option of {@link CommandWithAgent.addAgentOption}. */
export interface AgentNameOption {
  /** The name of an agent, instead of a command after `--`. */
  readonly agent?: string;
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
      this.usage(
        `[options] <agent name> [-- its arguments…]\n       acp-kit ${name} [options] -- <agent command…>`,
      ).passThroughOptions();
      this.addArgument(
        new Argument("[agent...]", "the name of an agent, such as `gemini`, or the command that starts one"),
      );
    } else {
      this.usage(`[options] [${before.name}] -- <agent command…>`);
      this.addArgument(new Argument(`[${before.name}...]`, before.description));
    }
  }

  /** Adds `--agent`, for commands that call {@link agentOf}. */
  addAgentOption(): this {
    return this.addOption(new Option("-a, --agent <name>", "an agent by its name, with its own arguments after `--`"));
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
   * Returns the agent that the command line names: by its name, by a command after `--`, or by a URL after `--url`. An agent of the
   * registry is installed if it is not on this machine.
   *
   * @param words the first argument of the action.
   * @throws {CommandFailure} when the command line names no agent, or two; errors of the registry.
   */
  async targetOf(words: readonly string[], options: RemoteOptions & AgentNameOption, host: Host): Promise<AgentTarget> {
    const { url, token, tokenFile } = options;
    if (url === undefined) {
      if (token === undefined && tokenFile === undefined) return await this.agentOf(words, options, host);
      throw usageFailure("--token and --token-file need --url: they hold the token for the agent at that URL.");
    }
    if (options.agent !== undefined) throw usageFailure("--url and --agent both name an agent. Give one of them.");
    if (this.namesAgent(words))
      throw usageFailure("--url and a command after -- both name an agent. Give one of them.");
    return remoteTarget(url, options, host);
  }

  /**
   * Whether the command line names an agent, without `--agent` and `--url`.
   *
   * @param words the first argument of the action.
   */
  namesAgent(words: readonly string[]): boolean {
    return this.#behind !== undefined || (this.#before === undefined && words.length > 0);
  }

  /**
   * Returns the agent that the command line names, by its name or by a command.
   *
   * @param words the first argument of the action.
   * @throws {CommandFailure} when the command line names no agent, or two; errors of the registry.
   */
  async agentOf(words: readonly string[], { agent }: AgentNameOption, host: Host): Promise<AgentCommand> {
    const takesWords = this.#before !== undefined;
    const [first, ...more] = takesWords ? [] : words;
    if (agent !== undefined) {
      if (first !== undefined)
        throw usageFailure(`--agent and "${words.join(" ")}" both name an agent. Give one of them.`);
      return await byName(agent, { args: this.#behind ?? [], mayBeProgram: false }, host);
    }
    // A command has more words, or a path; one word is a name, and a program only if there is no such name.
    const isName = first !== undefined && more.length === 0 && !/[/\\]/.test(first);
    if (isName)
      return await byName(first, { args: this.#behind ?? [], mayBeProgram: this.#behind === undefined }, host);
    if (this.#behind !== undefined && first !== undefined) {
      throw usageFailure(
        `"${words.join(" ")}" is before --, where ${this.name()} accepts options and the name of an agent: put the agent's whole command line after --.`,
      );
    }
    const [command, ...args] = this.#behind ?? (takesWords ? [] : words);
    if (command === undefined || command === "") throw this.#missing();
    return { command, args };
  }

  #missing(): CommandFailure {
    return usageFailure(
      `The agent is missing. Give its name, as in: acp-kit ${this.#fullName()} --agent gemini\n` +
        `or put the command that starts it after --, as in: acp-kit ${this.#fullName()} -- gemini --acp\n` +
        "`acp-kit agents` lists known agents; `acp-kit demo-agent` is an agent to try.",
    );
  }

  /** Without the name of the program. */
  #fullName(): string {
    const parent = this.parent;
    return parent?.parent ? `${parent.name()} ${this.name()}` : this.name();
  }
}

/** Loaded here: with a command, neither a registry nor a store is needed. */
async function byName(name: string, options: NameOptions, host: Host): Promise<AgentCommand> {
  const { resolveName } = await import("./agents/resolve-name.js");
  return await resolveName(name, options, host);
}
