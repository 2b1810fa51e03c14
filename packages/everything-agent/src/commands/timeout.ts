import type { Command } from "../command.js";
import { pause } from "../pause.js";
import { countOf } from "./count-of.js";

/** Lives until somebody ends it. */
const forever = ["-e", "console.log('still here'); setInterval(() => {}, 1000)"];

/** A command that takes too long: race a timer against `wait_for_exit`, kill, read the output, release. */
export const timeout: Command = {
  name: "timeout",
  description: "Run a command that never ends, and kill it after that many milliseconds (500 unless told)",
  hint: "[milliseconds]",
  needs: "clientCapabilities.terminal",
  async play(scene) {
    const ms = countOf(scene.args, { fallback: 500, most: 60_000 });
    const init = { kind: "execute", title: "Wait for ever", status: "in_progress" } as const;
    await scene.tool({ ...init, rawInput: { command: "node", timeoutMs: ms } }, async (call) => {
      await using terminal = await call.terminal({ command: "node", args: forever, cwd: scene.session.place.cwd });
      const exited = terminal.waitForExit();
      const over = new AbortController();
      const timer = pause(ms, AbortSignal.any([scene.turn.signal, over.signal]));
      const late = await Promise.race([timer.then(() => true), exited.then(() => false)]);
      timer.catch(() => {});
      over.abort();
      if (late) await terminal.kill();
      const { exitCode, signal } = await exited;
      const { output } = await terminal.output(); // a killed terminal can still be read
      return call.fail({ rawOutput: { output, exitCode: exitCode ?? null, signal: signal ?? null, timedOut: late } });
    });
    await scene.say(`The command was killed after ${ms} ms.`);
  },
};
