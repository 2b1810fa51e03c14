import type { TerminalHandlers } from "../connect-options.js";
import type { TerminalEvent } from "./transcript-event.js";

/**
 * Wraps terminal handlers, so that each change of a terminal becomes an event of the transcript: its command, the
 * output that the agent reads, and its exit.
 */
export function watchTerminals(
  terminals: TerminalHandlers,
  onEvent: (sessionId: string, event: TerminalEvent) => void,
): TerminalHandlers {
  return {
    async createTerminal(params, context) {
      const response = await terminals.createTerminal(params, context);
      const { sessionId, command, args = [], cwd } = params;
      const line = [command, ...args].join(" ");
      const { terminalId } = response;
      onEvent(sessionId, { type: "terminal", terminalId, command: line, ...(cwd != null && { cwd }) });
      return response;
    },
    async terminalOutput(params, context) {
      const response = await terminals.terminalOutput(params, context);
      const { output, truncated, exitStatus } = response;
      const { sessionId, terminalId } = params;
      onEvent(sessionId, { type: "terminal", terminalId, output, truncated, ...(exitStatus && { exit: exitStatus }) });
      return response;
    },
    async waitForTerminalExit(params, context) {
      const exit = await terminals.waitForTerminalExit(params, context);
      onEvent(params.sessionId, { type: "terminal", terminalId: params.terminalId, exit });
      return exit;
    },
    killTerminal: (params, context) => terminals.killTerminal(params, context),
    async releaseTerminal(params, context) {
      const response = await terminals.releaseTerminal(params, context);
      onEvent(params.sessionId, { type: "terminal", terminalId: params.terminalId, released: true });
      return response;
    },
  };
}
