import type { EverythingCommand } from "../command.js";

/** Works after the turn without a prompt. A client of version 2 shows the work, and can cancel it. */
export const work: EverythingCommand = {
  name: "work",
  description: "Begin work without a prompt after the turn has ended",
  async play(scene) {
    await scene.sendText("After this turn, I work on by myself.");
    const messageId = scene.messageId();
    const { paceMs } = scene;
    scene.afterwards((session) => {
      const done = session.work(async (turn) => {
        for (const word of ["I ", "work ", "on."]) {
          await turn.message(word, { messageId });
          await new Promise((resolve) => setTimeout(resolve, paceMs));
          turn.signal.throwIfAborted();
        }
      });
      done.catch(() => {}); // the session was closed meanwhile
    });
  },
};
