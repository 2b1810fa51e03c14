import { Command } from "commander";
import type { Host } from "./host.js";
import { version } from "./version.js";

type Load = () => Promise<(host: Host) => Command>;

/**
 * The commands of `acp-kit` by name, each in a file of its own below `commands/`, in the order in which help lists them. Only the one that
 * runs is loaded: reading the code of all of them takes longer than most need to do their work.
 */
const commands: Readonly<Record<string, Load>> = {
  chat: async () => (await import("./commands/chat.js")).chatCommand,
  run: async () => (await import("./commands/run.js")).runCommand,
  doctor: async () => (await import("./commands/doctor.js")).doctorCommand,
  agents: async () => (await import("./commands/agents.js")).agentsCommand,
  serve: async () => (await import("./commands/serve.js")).serveCommand,
  connect: async () => (await import("./commands/connect.js")).connectCommand,
  record: async () => (await import("./commands/record.js")).recordCommand,
  replay: async () => (await import("./commands/replay.js")).replayCommand,
  trace: async () => (await import("./commands/trace.js")).traceCommand,
  conformance: async () => (await import("./commands/conformance.js")).conformanceCommand,
  "demo-agent": async () => (await import("./commands/demo-agent.js")).demoAgentCommand,
};

/**
 * The command line for these words: with the command that they begin with, or with all commands when they begin with none, as help does.
 * Parsing throws a `CommanderError` where commander alone would end the process.
 */
export async function program(host: Host, words: readonly string[]): Promise<Command> {
  const { stdout, stderr } = host;
  const root = new Command("acp-kit")
    .description("The Agent Client Protocol on the command line: drive any agent, and look at what it does.")
    .usage("<command> [options]")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showHelpAfterError("(--help tells more)")
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
      subcommandTerm: (command) => command.name(), // how each is used, its own help tells
      styleTitle: (text) => stdout.colours.bold(text),
    })
    .addHelpText(
      "after",
      "\nAgents are started by you: put their command behind --, as in `acp-kit run -- gemini --acp`.\n" +
        "One that runs elsewhere is named by --url instead.",
    );
  for (const load of needed(words)) root.addCommand(inherit((await load())(host), root));
  return root;
}

function needed([first = ""]: readonly string[]): readonly Load[] {
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

/** `addCommand` hands nothing down, unlike `command()`. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child as Command, command);
  return command;
}
