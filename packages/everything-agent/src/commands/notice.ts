import type { EverythingCommand } from "../command.js";

/** Notices beside the conversation, one of each severity. */
export const notice: EverythingCommand = {
  name: "notice",
  description: "Show notices of every severity",
  needs: "clientCapabilities.session.notices",
  async play(scene) {
    for (const severity of ["info", "warning", "error", "_acp-kit.dev/trivia"]) {
      await scene.turn.notice({ severity, title: `A notice: ${severity}`, description: "Nothing depends on it." });
      await scene.step();
    }
    await scene.say("Four notices: three severities of the protocol, one of my own.");
  },
};
