import type { TerminalHandlers } from "../connect-options.js";
import type { TerminalEvent } from "./transcript-event.js";

/** The same terminals, but what becomes known of them is told: the command, the output that the agent reads, how it ended. */
export function watchTerminals(
  terminals: TerminalHandlers,
  tell: (sessionId: string, event: TerminalEvent) => void,
): TerminalHandlers {
  return {
    async createTerminal(params, context) {
      const response = await terminals.createTerminal(params, context);
      const { sessionId, command, args = [], cwd } = params;
      const line = [command, ...args].join(" ");
      const { terminalId } = response;
      tell(sessionId, { type: "terminal", terminalId, command: line, ...(cwd != null && { cwd }) });
      return response;
    },
    async terminalOutput(params, context) {
      const response = await terminals.terminalOutput(params, context);
      const { output, truncated, exitStatus } = response;
      const { sessionId, terminalId } = params;
      tell(sessionId, { type: "terminal", terminalId, output, truncated, ...(exitStatus && { exit: exitStatus }) });
      return response;
    },
    async waitForTerminalExit(params, context) {
      const exit = await terminals.waitForTerminalExit(params, context);
      tell(params.sessionId, { type: "terminal", terminalId: params.terminalId, exit });
      return exit;
    },
    killTerminal: (params, context) => terminals.killTerminal(params, context),
    async releaseTerminal(params, context) {
      const response = await terminals.releaseTerminal(params, context);
      tell(params.sessionId, { type: "terminal", terminalId: params.terminalId, released: true });
      return response;
    },
  };
}
