import { exitsAt, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const slashCommandsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "tour/commands", mutation: exitsAt("/commands") },
  {
    fails: "watch/schema/commands",
    mutation: update("available_commands_update", ({ availableCommands }) => delete availableCommands[0].description),
  },
];
