import { exitsAt, failing, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const slashCommandsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/commands": exitsAt("/commands"),
    "watch/schema/commands": update(
      "available_commands_update",
      ({ availableCommands }) => delete availableCommands[0].description,
    ),
  }),
];
