import type { EverythingCommand } from "../command.js";

/** What breaks readers that split lines where Unicode does, cut chunks anywhere, or count characters for bytes. */
const samples = [
  "line separator:\u2028paragraph separator:\u2029next line:\u0085vertical tab:\v",
  "emoji: 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽, flags: 🇪🇺, beyond the BMP: 𝒜𝒞𝒫 𠜎",
  "combining: e\u0301 ≠ é, right to left: שלום مرحبا, wide: 漢字かな交じり文",
  "controls: \u0000 \u0007 \u001b[31mred\u001b[0m, byte order mark: \ufeff, CRLF:\r\nend",
];

/** Text that is hard to carry and hard to show. */
export const unicode: EverythingCommand = {
  name: "unicode",
  description: "Text with line separators, emoji, combining and control characters",
  async play(scene) {
    const message = { messageId: scene.messageId() };
    for (const sample of samples) {
      await scene.turn.message(`${sample}\n`, message);
      await scene.step();
    }
  },
};
