import type { EverythingCommand } from "../command.js";

/** Replaces a message as a whole, which only version 2 of the protocol can. */
export const replace: EverythingCommand = {
  name: "replace",
  description: "Send a draft and replace it by another message, on connections of version 2",
  async play(scene) {
    if (scene.session.place.connection.protocolVersion !== 2) {
      await scene.sendText("/replace needs version 2 of the protocol.");
      return;
    }
    const message = scene.turn.messageStream({ messageId: scene.messageId() });
    await message.write("This is a draft.");
    await scene.step();
    await message.replace("This is the final text");
    await message.write(", and this extends it.");
  },
};
