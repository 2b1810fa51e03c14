import type { FileHandlers, TerminalHandlers } from "@acp-kit/client";
import type { WorkspaceFiles, WorkspaceTerminals } from "@acp-kit/workspace";

/** A function that is called with the method of each request of the agent, before the request is handled. */
export type OnUse = (method: string, detail: string) => void;

/** The file access of a workspace, which reports every request to `onUse`. */
export function announcedFiles(files: WorkspaceFiles, onUse: OnUse): FileHandlers {
  return {
    readTextFile(params, context) {
      onUse("fs/read_text_file", params.path);
      return files.readTextFile(params, context);
    },
    async writeTextFile(params, context) {
      onUse("fs/write_text_file", params.path);
      await files.writeTextFile?.(params, context);
    },
  };
}

/**
 * The terminals of a workspace, which report every request to `onUse`, except `terminal/output`, because agents poll
 * the output.
 */
export function announcedTerminals(terminals: WorkspaceTerminals, onUse: OnUse): TerminalHandlers {
  return {
    createTerminal(params, context) {
      onUse("terminal/create", [params.command, ...(params.args ?? [])].join(" "));
      return terminals.createTerminal(params, context);
    },
    terminalOutput: (params, context) => terminals.terminalOutput(params, context),
    waitForTerminalExit(params, context) {
      onUse("terminal/wait_for_exit", "");
      return terminals.waitForTerminalExit(params, context);
    },
    killTerminal(params, context) {
      onUse("terminal/kill", "");
      return terminals.killTerminal(params, context);
    },
    releaseTerminal(params, context) {
      onUse("terminal/release", "");
      return terminals.releaseTerminal(params, context);
    },
  };
}
