import type { EverythingCommand } from "../command.js";

/**
 * Texts that show mistakes of clients: splitting lines at Unicode separators, decoding parts of characters, or
 * confusing characters with bytes.
 */
const samples = [
  "line separator:\u2028paragraph separator:\u2029next line:\u0085vertical tab:\v",
  "emoji: 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽, flags: 🇪🇺, beyond the BMP: 𝒜𝒞𝒫 𠜎",
  "combining: e\u0301 ≠ é, right to left: שלום مرحبا, wide: 漢字かな交じり文",
  "controls: \u0000 \u0007 \u001b[31mred\u001b[0m, byte order mark: \ufeff, CRLF:\r\nend",
];

/** Sends text that is hard to transport and hard to show. */
export const unicode: EverythingCommand = {
  name: "unicode",
  description: "Send text with line separators, emoji, combining and control characters",
  async play(scene) {
    const message = { messageId: scene.messageId() };
    for (const sample of samples) {
      await scene.turn.message(`${sample}\n`, message);
      await scene.step();
    }
  },
};
