import { Command } from "commander";

/** The commands of `acp-kit`, each in a file of its own below `commands/`, in the order in which help lists them. */
const commands: readonly (() => Command)[] = [];

/** The whole command line. */
export function program(): Command {
  const root = new Command("acp-kit").description("The Agent Client Protocol on the command line.");
  for (const command of commands) root.addCommand(command());
  return root;
}
