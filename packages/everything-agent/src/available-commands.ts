import type { AvailableCommand } from "@acp-kit/types";
import type { EverythingCommand } from "./command.js";

/** The commands as clients list them. The longer list has one more, to demonstrate a changing list. */
export function availableCommands(commands: readonly EverythingCommand[], more = false): AvailableCommand[] {
  const listed = commands.map(({ name, description, hint }) => {
    return { name, description, ...(hint !== undefined && { input: { hint } }) };
  });
  return more ? [...listed, { name: "guest", description: "Comes and goes with /commands" }] : listed;
}
