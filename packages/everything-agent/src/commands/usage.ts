import type { EverythingCommand } from "../command.js";

/** Sends usage updates. The number of used tokens grows and shrinks, and the cost only grows. */
export const usage: EverythingCommand = {
  name: "usage",
  description: "Report the used part of the context and the cost of the session",
  async play(scene) {
    for (const [step, used] of [12_000, 96_000, 31_000].entries()) {
      await scene.turn.usage({ used, size: 200_000, cost: { amount: (step + 1) / 10, currency: "USD" } });
      await scene.step();
    }
    await scene.turn.usage({ used: 31_000, size: 100_000, cost: { amount: 0.3, currency: "USD" } });
    await scene.sendText("31,000 of 100,000 tokens, for 30 cents.");
  },
};
