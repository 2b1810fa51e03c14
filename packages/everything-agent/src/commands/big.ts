import type { EverythingCommand } from "../command.js";
import { countOf } from "./count-of.js";

/** Sends one message chunk of many kilobytes. */
export const big: EverythingCommand = {
  name: "big",
  description: "Send one message chunk of the given number of kilobytes (300 by default, at most 16,000)",
  hint: "[kilobytes]",
  async play(scene) {
    const kilobytes = countOf(scene.args, { fallback: 300, most: 16_000 });
    const line = `${"0123456789".repeat(10).slice(0, 99)}\n`;
    await scene.turn.message(line.repeat(kilobytes * 10), { messageId: scene.messageId() });
  },
};
