import type { EverythingCommand } from "../command.js";

/** Sends thoughts before a message. */
export const think: EverythingCommand = {
  name: "think",
  description: "Stream thoughts before a message",
  async play(scene) {
    const thought = { messageId: scene.messageId() };
    for (const chunk of ["The user wants to see thoughts. ", "They come in chunks, ", "like messages."]) {
      await scene.turn.thought(chunk, thought);
      await scene.step();
    }
    await scene.sendText("That was what I thought.");
  },
};
