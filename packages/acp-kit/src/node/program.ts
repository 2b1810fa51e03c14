import { Command } from "commander";
import { agentsCommand } from "./commands/agents.js";
import { chatCommand } from "./commands/chat.js";
import { conformanceCommand } from "./commands/conformance.js";
import { demoAgentCommand } from "./commands/demo-agent.js";
import { doctorCommand } from "./commands/doctor.js";
import { recordCommand } from "./commands/record.js";
import { replayCommand } from "./commands/replay.js";
import { runCommand } from "./commands/run.js";
import { traceCommand } from "./commands/trace.js";
import type { Host } from "./host.js";
import { version } from "./version.js";

/** The commands of `acp-kit`, each in a file of its own below `commands/`, in the order in which help lists them. */
const commands: readonly ((host: Host) => Command)[] = [
  chatCommand,
  runCommand,
  doctorCommand,
  agentsCommand,
  recordCommand,
  replayCommand,
  traceCommand,
  conformanceCommand,
  demoAgentCommand,
];

/** The whole command line. Parsing throws a `CommanderError` where commander alone would end the process. */
export function program(host: Host): Command {
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
      "\nAgents are started by you: put their command behind --, as in `acp-kit run -- gemini --acp`.",
    );
  for (const command of commands) root.addCommand(inherit(command(host), root));
  return root;
}

/** `addCommand` hands nothing down, unlike `command()`. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child as Command, command);
  return command;
}
