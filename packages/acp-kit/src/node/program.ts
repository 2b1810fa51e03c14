import { Command } from "commander";
import type { Host } from "./host.js";
import { version } from "./version.js";

type Load = () => Promise<(host: Host) => Command>;

/**
 * The commands of `acp-kit` by name, in the order of the help. Each command has its own file in `commands/`. Only the
 * command that runs is loaded, because to load all commands takes longer than to run most of them.
 */
const commands: Readonly<Record<string, Load>> = {
  chat: async () => (await import("./commands/chat.js")).chatCommand,
  run: async () => (await import("./commands/run.js")).runCommand,
  doctor: async () => (await import("./commands/doctor.js")).doctorCommand,
  agents: async () => (await import("./commands/agents.js")).agentsCommand,
  serve: async () => (await import("./commands/serve.js")).serveCommand,
  connect: async () => (await import("./commands/connect.js")).connectCommand,
  bridge: async () => (await import("./commands/bridge.js")).bridgeCommand,
  sessions: async () => (await import("./commands/sessions.js")).sessionsCommand,
  record: async () => (await import("./commands/record.js")).recordCommand,
  replay: async () => (await import("./commands/replay.js")).replayCommand,
  inspect: async () => (await import("./commands/inspect.js")).inspectCommand,
  trace: async () => (await import("./commands/trace.js")).traceCommand,
  conformance: async () => (await import("./commands/conformance.js")).conformanceCommand,
  "demo-agent": async () => (await import("./commands/demo-agent.js")).demoAgentCommand,
};

/**
 * Builds the parser for a command line. If the first word names a command, the parser contains only that command;
 * otherwise, as for `--help`, it contains all commands. Parsing throws a `CommanderError` instead of ending the
 * process.
 */
export async function program(host: Host, words: readonly string[]): Promise<Command> {
  const { stdout, stderr } = host;
  const root = new Command("acp-kit")
    .description("The Agent Client Protocol on the command line: run, inspect, record and test any agent.")
    .usage("<command> [options]")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showHelpAfterError("(see --help)")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => Math.min(stdout.columns, 120),
      getErrHelpWidth: () => Math.min(stderr.columns, 120),
      getOutHasColors: () => stdout.colours.enabled,
      getErrHasColors: () => stderr.colours.enabled,
    })
    .configureHelp({
      showGlobalOptions: false,
      subcommandTerm: (command) => command.name(), // the help of the command itself shows its arguments
      styleTitle: (text) => stdout.colours.bold(text),
    })
    .addHelpText(
      "after",
      "\nGive the name of an agent, as in `acp-kit chat gemini`, or its command after --, as in `acp-kit chat -- gemini --acp`.\n" +
        "For an agent on another machine, use --url.",
    );
  for (const load of needed(words)) root.addCommand(inherit((await load())(host), root));
  return root;
}

/**
 * The subcommand that a command runs if the command line names none. The option `isDefault` of commander would pass a
 * misspelt subcommand to the default one, as an argument.
 */
const defaults: Readonly<Record<string, string>> = { agents: "list" };

/**
 * Rewrites the arguments of a command with subcommands, so that commander reports every unknown command with a
 * suggestion. With `--help` and after `help`, commander would print the help of the parent command instead.
 */
export function namedWords(command: Command, words: readonly string[]): readonly string[] {
  if (command.commands.length === 0) return words;
  const [first, ...rest] = words;
  const default_ = defaults[command.name()];
  if (first === "help") return namedWords(command, [...rest, "--help"]);
  if (first === undefined || first.startsWith("-")) {
    const isHelp = first === "--help" || first === "-h";
    return default_ === undefined || isHelp ? words : [default_, ...words];
  }
  const child = command.commands.find((each) => each.name() === first);
  return child === undefined ? [first] : [first, ...namedWords(child as Command, rest)];
}

function needed([first = ""]: readonly string[]): readonly Load[] {
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

/** Copies the settings of the parent command, because commander's `addCommand` does not copy them. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child as Command, command);
  return command;
}
