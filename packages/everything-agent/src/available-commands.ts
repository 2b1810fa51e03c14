import type { AvailableCommand } from "@acp-kit/types";
import type { EverythingCommand } from "./command.js";

/**
 * Returns the commands in the form in which clients list them. With `more`, the list has one more command, to
 * demonstrate a change of the list.
 */
export function availableCommands(commands: readonly EverythingCommand[], more = false): AvailableCommand[] {
  const listed = commands.map(({ name, description, hint }) => {
    return { name, description, ...(hint !== undefined && { input: { hint } }) };
  });
  return more ? [...listed, { name: "guest", description: "Added and removed by /commands" }] : listed;
}
