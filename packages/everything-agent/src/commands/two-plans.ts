import type { EverythingCommand } from "../command.js";

/** Sends two plans. Clients of version 1 show the plan that was sent last. */
export const twoPlans: EverythingCommand = {
  name: "two-plans",
  description: "Send a plan beside the plan of the session, and complete both",
  async play(scene) {
    const work = scene.turn.startPlan(["Write the code"]);
    const review = scene.turn.startPlan(["Read the code", "Run the tests"], { planId: "review" });
    for (const change of [() => work.complete(0), () => review.complete(0), () => review.complete(1)]) {
      await scene.step();
      await change();
    }
    await scene.sendText("Both plans are done.");
  },
};
