import type { EverythingCommand } from "../command.js";

/** Lists all commands. */
export const help: EverythingCommand = {
  name: "help",
  description: "List the commands",
  async play(scene) {
    const lines = scene.commands.map(({ name, hint, description }) => {
      return `- \`/${name}${hint === undefined ? "" : ` ${hint}`}\`: ${description}`;
    });
    await scene.sendText(["Every command shows one feature of the protocol.", "", ...lines].join("\n"));
  },
};
