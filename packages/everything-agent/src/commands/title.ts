import type { EverythingCommand } from "../command.js";

/** Sets the title of the session. */
export const title: EverythingCommand = {
  name: "title",
  description: "Set the session's title, or clear it",
  hint: "[title]",
  async play(scene) {
    const title = scene.args || null;
    scene.session.setTitle(title);
    await scene.turn.title(title);
    await scene.sendText(title === null ? "The session has no title now." : `The session is called "${title}" now.`);
  },
};
