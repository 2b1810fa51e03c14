import type { FileHandlers, TerminalHandlers } from "@acp-kit/client";
import type { WorkspaceFiles, WorkspaceTerminals } from "@acp-kit/workspace";

/** Announces the method that the agent calls, before it is handled. */
export type OnUse = (method: string, detail: string) => void;

/** The files of a workspace, where every use is announced. */
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

/** The terminals of a workspace, where every use is announced, except looking at the output: agents do that all the time. */
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
