import { onAbort } from "@acp-kit/protocol/internal";
import type { EverythingCommand } from "../command.js";
import { pause } from "../pause.js";
import { countOf } from "./count-of.js";
import { withTerminal } from "./with-terminal.js";

/** A program that runs until it is killed. */
const forever = ["-e", "console.log('still here'); setInterval(() => {}, 1000)"];

/**
 * Ends a command that takes too long: waits for a timer or the exit of the command, kills the command, reads the
 * output, and releases the terminal.
 */
export const timeout: EverythingCommand = {
  name: "timeout",
  description: "Run a command that never ends, and kill it after the given number of milliseconds (500 by default)",
  hint: "[milliseconds]",
  needs: "clientCapabilities.terminal",
  async play(scene) {
    const ms = countOf(scene.args, { fallback: 500, most: 60_000 });
    const init = { kind: "execute", title: "Wait for ever", status: "in_progress" } as const;
    await scene.tool({ ...init, rawInput: { command: "node", timeoutMs: ms } }, (call) => {
      const params = { command: "node", args: forever, cwd: scene.session.place.cwd };
      return withTerminal(call, params, async (terminal) => {
        const exited = terminal.waitForExit();
        const timedOut = await isLate(exited, ms, scene.turn.signal);
        if (timedOut) await terminal.kill();
        const { exitCode = null, signal = null } = await exited;
        const { output } = await terminal.output(); // the output of a killed terminal can still be read
        await call.fail({ rawOutput: { output, exitCode, signal, timedOut } });
      });
    });
    await scene.sendText(`The command was killed after ${ms} ms.`);
  },
};

/** Returns whether the time is over before the command has ended. */
async function isLate(exited: Promise<unknown>, ms: number, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const unlisten = onAbort(signal, () => over.abort());
  const timer = pause(ms, over.signal).then(() => true);
  try {
    return await Promise.race([timer, exited.then(() => false)]);
  } finally {
    timer.catch(() => {}); // the timer rejects if it is no longer needed
    unlisten();
    over.abort();
  }
}
