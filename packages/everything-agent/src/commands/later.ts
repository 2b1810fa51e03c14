import type { EverythingCommand } from "../command.js";

/** Sends updates outside a turn: after the response of the turn. */
export const later: EverythingCommand = {
  name: "later",
  description: "Send updates after the turn has ended",
  async play(scene) {
    await scene.sendText("After this turn, I report the used part of the context.");
    scene.afterwards((session) => session.usage({ used: 4_000, size: 200_000 }));
  },
};
