import { availableCommands } from "../available-commands.js";
import type { EverythingCommand } from "../command.js";

/** Adds a command to the list, or removes it again. */
export const commands: EverythingCommand = {
  name: "commands",
  description: "Change the list of slash commands while the session runs",
  async play(scene) {
    scene.session.moreCommands = !scene.session.moreCommands;
    const list = availableCommands(scene.commands, scene.session.moreCommands);
    await scene.turn.commands(list);
    await scene.sendText(`There are ${list.length} commands now.`);
  },
};
