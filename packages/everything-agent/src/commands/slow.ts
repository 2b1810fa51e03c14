import type { EverythingCommand } from "../command.js";
import { countOf } from "./count-of.js";

/**
 * Runs a long turn with a tool call, so that the client can cancel the turn while the call runs. When the client sends
 * another prompt during the turn, the agent sends a message.
 */
export const slow: EverythingCommand = {
  name: "slow",
  description:
    "Run a turn of the given number of seconds (60 by default), to test cancelling and prompts during a turn",
  hint: "[seconds]",
  async play(scene) {
    const seconds = countOf(scene.args, { fallback: 60, most: 3_600 });
    scene.turn.onPrompt(() => scene.sendText("Noted, I am still at it."));
    await scene.sendText(`I will be busy for ${seconds} seconds. Cancel me.`);
    await scene.tool({ kind: "think", title: "Take my time", status: "in_progress" }, async (call) => {
      for (let second = 1; second <= seconds; second += 1) {
        await scene.step(1_000);
        await call.update({ title: `Take my time: ${second} of ${seconds} s` });
      }
      return {};
    });
    await scene.sendText("The turn was not cancelled.");
  },
};
