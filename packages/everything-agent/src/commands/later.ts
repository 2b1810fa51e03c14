import type { EverythingCommand } from "../command.js";

/** Updates outside a turn: they come after its response. */
export const later: EverythingCommand = {
  name: "later",
  description: "Send updates after the turn has ended",
  async play(scene) {
    await scene.say("When this turn is over, I send how full the context is.");
    scene.afterwards((session) => session.usage({ used: 4_000, size: 200_000 }));
  },
};
