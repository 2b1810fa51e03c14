import type { EverythingCommand } from "../command.js";
import { countOf } from "./count-of.js";

/** Sends many small updates, no faster than the client reads them. */
export const flood: EverythingCommand = {
  name: "flood",
  description: "Send the given number of small chunks without a pause (1,000 by default, at most 100,000)",
  hint: "[chunks]",
  async play(scene) {
    const count = countOf(scene.args, { fallback: 1_000, most: 100_000 });
    const message = { messageId: scene.messageId() };
    for (let chunk = 1; chunk <= count && !scene.turn.signal.aborted; chunk += 1) {
      await scene.turn.message(`${chunk} `, message); // waits only while the client has not read the earlier updates
    }
  },
};
