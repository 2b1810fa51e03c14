import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { RpcError, type TerminalHandlers } from "@acp-kit/client";
import type { TerminalExitStatus } from "@acp-kit/schema";
import { confined } from "./files.js";

/** A command that runs, or has run, for the agent. */
interface Running {
  readonly child: ChildProcess;
  readonly sessionId: string;
  readonly limit: number;
  output: Buffer;
  truncated: boolean;
  exitStatus: TerminalExitStatus | undefined;
  /** Settles when the command has ended and everything that it wrote has been read. */
  readonly ended: Promise<TerminalExitStatus>;
}

const DEFAULT_LIMIT_BYTES = 1_000_000;

/** Commands in one folder, for the agent. `onOutput` sees what they write, as they write it. */
export function terminalsIn(
  root: string,
  onUse: (method: string, detail: string) => void,
  onOutput: (terminalId: string, text: string) => void,
): TerminalHandlers & { readonly open: () => number } {
  const terminals = new Map<string, Running>();
  let count = 0;

  const find = (terminalId: string, sessionId: string): Running => {
    const terminal = terminals.get(terminalId);
    if (terminal?.sessionId !== sessionId) throw new RpcError(-32002, "Terminal not found", { data: { terminalId } });
    return terminal;
  };

  return {
    async createTerminal({ sessionId, command, args = [], env = [], cwd, outputByteLimit }) {
      onUse("terminal/create", [command, ...args].join(" "));
      const folder = await confined(root, cwd ?? root);
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...process.env, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
      });
      await Promise.race([once(child, "spawn"), once(child, "error").then(([error]) => Promise.reject(error))]);
      const terminalId = `terminal_${++count}`;
      const ended = once(child, "close").then(([exitCode, signal]): TerminalExitStatus => {
        terminal.exitStatus = { exitCode, signal };
        return terminal.exitStatus;
      });
      const limit = outputByteLimit ?? DEFAULT_LIMIT_BYTES;
      const terminal: Running = {
        child,
        sessionId,
        limit,
        output: Buffer.alloc(0),
        truncated: false,
        exitStatus: undefined,
        ended,
      };
      const read = (chunk: Buffer): void => {
        terminal.output = Buffer.concat([terminal.output, chunk]);
        if (terminal.output.length > limit) cutFront(terminal);
        onOutput(terminalId, chunk.toString());
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      terminals.set(terminalId, terminal);
      return { terminalId };
    },
    terminalOutput({ terminalId, sessionId }) {
      const { output, truncated, exitStatus } = find(terminalId, sessionId);
      return { output: output.toString(), truncated, ...(exitStatus && { exitStatus }) };
    },
    async waitForTerminalExit({ terminalId, sessionId }) {
      onUse("terminal/wait_for_exit", terminalId);
      return find(terminalId, sessionId).ended;
    },
    killTerminal({ terminalId, sessionId }) {
      onUse("terminal/kill", terminalId);
      find(terminalId, sessionId).child.kill();
    },
    releaseTerminal({ terminalId, sessionId }) {
      onUse("terminal/release", terminalId);
      find(terminalId, sessionId).child.kill();
      terminals.delete(terminalId);
    },
    open: () => terminals.size,
  };
}

/** Keeps the last bytes, from the beginning of a character. */
function cutFront(terminal: Running): void {
  let start = terminal.output.length - terminal.limit;
  while (start < terminal.output.length && ((terminal.output[start] ?? 0) & 0xc0) === 0x80) start += 1;
  terminal.output = terminal.output.subarray(start);
  terminal.truncated = true;
}
