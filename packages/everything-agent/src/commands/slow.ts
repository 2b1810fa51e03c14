import type { EverythingCommand } from "../command.js";
import { countOf } from "./count-of.js";

/** A long turn with a tool call that is still running when the client cancels; prompts merged into it are acknowledged. */
export const slow: EverythingCommand = {
  name: "slow",
  description: "Run a turn of so many seconds (60 by default), to test cancelling and prompts during a turn",
  hint: "[seconds]",
  async play(scene) {
    const seconds = countOf(scene.args, { fallback: 60, most: 3_600 });
    scene.turn.onPrompt(() => scene.say("Noted, I am still at it."));
    await scene.say(`I will be busy for ${seconds} seconds. Cancel me.`);
    await scene.tool({ kind: "think", title: "Take my time", status: "in_progress" }, async (call) => {
      for (let second = 1; second <= seconds; second += 1) {
        await scene.step(1_000);
        await call.update({ title: `Take my time: ${second} of ${seconds} s` });
      }
      return {};
    });
    await scene.say("The turn was not cancelled.");
  },
};
