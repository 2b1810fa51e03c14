import type { TerminalHandle, ToolCallHandle } from "@acp-kit/agent";
import type { EverythingCommand } from "../command.js";
import type { Scene } from "../scene.js";
import { withTerminal } from "./with-terminal.js";
import { wordsOf } from "./words-of.js";

/** A program that counts to three, one line at a time. It needs only Node. */
const counting = [
  "node",
  "-e",
  "let n = 0; const t = setInterval(() => { console.log('line ' + ++n); if (n === 3) clearInterval(t); }, 100)",
];

/**
 * Runs a command in the client's terminal: creates the terminal, shows it, reads the output, waits for the exit, and
 * releases the terminal.
 */
export const run: EverythingCommand = {
  name: "run",
  description: "Run a command in the client's terminal, shown in a tool call while it runs",
  hint: "[command]",
  needs: "clientCapabilities.terminal",
  async play(scene) {
    const [command = "", ...args] = scene.args === "" ? counting : wordsOf(scene.args);
    const title = scene.args || "Count to three";
    const init = { kind: "execute", title, name: "run_command", status: "pending" } as const;
    let summary = "The command did not run.";
    await scene.tool({ ...init, rawInput: { command, args } }, (call) => {
      const params = { command, args, cwd: scene.session.place.cwd, outputByteLimit: 100_000 };
      return withTerminal(call, params, async (terminal) => {
        await call.start();
        const { exitCode = null, signal = null } = await watch(scene, call, terminal);
        const { output, truncated } = await terminal.output();
        summary =
          signal === null ? `The command ended with exit code ${exitCode}.` : `The command was ended by ${signal}.`;
        const rawOutput = { output, truncated, exitCode, signal };
        if (exitCode === 0) await call.complete({ rawOutput });
        else await call.fail({ rawOutput });
      });
    });
    await scene.sendText(summary);
  },
};

/**
 * Waits for the end of the command, and polls the output until then. The client shows the output without these
 * requests; an agent polls if it needs the output itself.
 */
async function watch(
  scene: Scene,
  call: ToolCallHandle,
  terminal: TerminalHandle,
): ReturnType<TerminalHandle["waitForExit"]> {
  let ended = false;
  let known = "";
  const exited = terminal.waitForExit().finally(() => {
    ended = true;
  });
  exited.catch(() => {}); // prevents an unhandled rejection before the promise is awaited below
  while (!ended) {
    const { output } = await terminal.output();
    if (output !== known) await call.update({ rawOutput: { output } });
    known = output;
    await Promise.race([exited, scene.step(Math.max(scene.paceMs, 50))]);
  }
  return exited;
}
