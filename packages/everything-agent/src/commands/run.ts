import type { Command } from "../command.js";
import { wordsOf } from "./words-of.js";

/** Counts to three, one line at a time: any machine with Node can. */
const counting = [
  "node",
  "-e",
  "let n = 0; const t = setInterval(() => { console.log('line ' + ++n); if (n === 3) clearInterval(t); }, 100)",
];

/** Runs a command in the client's terminal: create, show, output, wait, release. */
export const run: Command = {
  name: "run",
  description: "Run a command in the client's terminal, shown in a tool call while it runs",
  hint: "[command]",
  needs: "clientCapabilities.terminal",
  async play(scene) {
    const [command = "", ...args] = scene.args === "" ? counting : wordsOf(scene.args);
    const title = scene.args || "Count to three";
    const init = { kind: "execute", title, name: "run_command", status: "pending" } as const;
    let exit = "did not run";
    await scene.tool({ ...init, rawInput: { command, args } }, async (call) => {
      const { cwd } = scene.session.place;
      await using terminal = await call.terminal({ command, args, cwd, outputByteLimit: 100_000 });
      await call.start();
      let ended = false;
      const exited = terminal.waitForExit().finally(() => {
        ended = true;
      });
      exited.catch(() => {}); // awaited below; until then it must not count as unhandled
      let known = "";
      while (!ended) {
        const { output } = await terminal.output(); // the client shows it by itself; this is for the agent
        if (output !== known) call.update({ rawOutput: { output } });
        known = output;
        await Promise.race([exited, scene.step(Math.max(scene.paceMs, 50))]);
      }
      const { exitCode, signal } = await exited;
      const { output, truncated } = await terminal.output();
      exit = signal == null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
      const rawOutput = { output, truncated, exitCode: exitCode ?? null, signal: signal ?? null };
      return exitCode === 0 ? { rawOutput } : call.fail({ rawOutput });
    });
    await scene.say(`The command ${exit}.`);
  },
};
