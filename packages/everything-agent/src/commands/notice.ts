import type { EverythingCommand } from "../command.js";

/** Sends one notice of each severity. A notice is not part of the conversation. */
export const notice: EverythingCommand = {
  name: "notice",
  description: "Show notices of every severity",
  needs: "clientCapabilities.session.notices",
  async play(scene) {
    for (const severity of ["info", "warning", "error", "_acp-kit.dev/trivia"]) {
      await scene.turn.notice({ severity, title: `A notice: ${severity}`, description: "Nothing depends on it." });
      await scene.step();
    }
    await scene.sendText("Four notices: three severities of the protocol, one of my own.");
  },
};
