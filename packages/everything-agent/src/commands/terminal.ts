import type { EverythingCommand } from "../command.js";

/**
 * Shows the output of a command that the agent runs itself, in a terminal of the agent. Clients of version 1 get it in
 * the `_meta` of the tool call, or as text.
 */
export const terminal: EverythingCommand = {
  name: "terminal",
  description: "Show a command of the agent in a terminal of the agent, with colours and its exit",
  async play(scene) {
    await scene.tool({ kind: "execute", title: "Count to three", status: "in_progress" }, async (call) => {
      const terminalId = `terminal_${call.id}`;
      const shown = call.ownTerminal({ terminalId, command: "count 3", cwd: scene.session.place.cwd });
      for (let line = 1; line <= 3; line += 1) {
        await scene.step();
        await shown.write(`\u001b[3${line}mline ${line}\u001b[0m\r\n`);
      }
      await shown.exit({ exitCode: 0 });
      return { rawOutput: { output: "line 1\nline 2\nline 3\n" } };
    });
    await scene.sendText("The command ended with exit code 0.");
  },
};
