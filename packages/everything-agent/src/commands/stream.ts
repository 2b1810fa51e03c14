import type { EverythingCommand } from "../command.js";

const paragraphs = [
  "A message comes in **chunks**. All chunks of one message carry the same `messageId`.",
  "A new `messageId` begins a new message: this is the second one of the turn.",
];

/** Sends two messages, word by word. */
export const stream: EverythingCommand = {
  name: "stream",
  description: "Stream two messages, word by word",
  async play(scene) {
    for (const paragraph of paragraphs) {
      const message = { messageId: scene.messageId() };
      for (const word of paragraph.split(/(?<= )/)) {
        await scene.turn.message(word, message);
        await scene.step();
      }
    }
  },
};
