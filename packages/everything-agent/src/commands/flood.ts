import type { EverythingCommand } from "../command.js";
import { countOf } from "./count-of.js";

/** Sends many small updates, no faster than the client reads them. The user can set a pause between two updates. */
export const flood: EverythingCommand = {
  name: "flood",
  description:
    "Send the given number of small chunks (1,000 by default, at most 100,000), with a pause in ms between them (none by default)",
  hint: "[chunks] [pause]",
  async play(scene) {
    const count = countOf(scene.args, { fallback: 1_000, most: 100_000 });
    const [, pause = "0"] = scene.args.split(" ");
    const pauseMs = countOf(pause, { fallback: 0, least: 0, most: 60_000 });
    const message = { messageId: scene.messageId() };
    for (let chunk = 1; chunk <= count && !scene.turn.signal.aborted; chunk += 1) {
      await scene.turn.message(`${chunk} `, message); // waits only while the client has not read the earlier updates
      if (pauseMs > 0 && chunk < count) await scene.step(pauseMs);
    }
  },
};
