import type { Environment } from "./child-environment.js";
import type { DetachedProcess, DetachedProcessPolicy } from "./detached-processes.js";
import type { AgentLedger } from "./ledger.js";
import { type NodeTransportOptions, nodeTransportDefaults } from "./node-transport.js";

/** The default options of `spawnAgent`. */
export const spawnAgentDefaults: typeof nodeTransportDefaults & {
  readonly startTimeoutMs: number;
  readonly exitGraceMs: number;
  readonly termGraceMs: number;
  readonly outputGraceMs: number;
  readonly stderrTailBytes: number;
} = {
  ...nodeTransportDefaults,
  startTimeoutMs: 60_000,
  exitGraceMs: 2_000,
  termGraceMs: 2_000,
  outputGraceMs: 500,
  stderrTailBytes: 8_192,
};

/** Options of `spawnAgent`: the command and how to run it. {@link spawnAgentDefaults} has the default of each limit. */
export interface SpawnAgentOptions extends Omit<NodeTransportOptions, "closeTimeoutMs" | "inputGraceMs"> {
  /** The program to start: a path, or a name to be found in `PATH`. It is never a line for a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The working directory of the agent. By default, it is that of the current process. */
  readonly cwd?: string;
  /** Environment variables for the agent, which override the inherited ones; `undefined` removes a variable. */
  readonly env?: Environment;
  /**
   * Which environment variables of the current process the agent inherits: all (`true`, the default), none (`false`),
   * or those in the list. `essentialEnvironment` is such a list.
   */
  readonly inheritEnv?: boolean | readonly string[];
  /** A signal that ends the agent, as `close()` does; pending requests reject, with the signal's reason as `cause`. */
  readonly signal?: AbortSignal;
  /** Receives each line of the agent's standard error, which is read in any case. */
  readonly onStderr?: (line: string) => void;
  /** The time in milliseconds that the agent may send nothing after the first message to it; 0 means no limit. */
  readonly startTimeoutMs?: number;
  /** The time in milliseconds between the end of the agent's input and `SIGTERM`. */
  readonly exitGraceMs?: number;
  /** The time in milliseconds between `SIGTERM` to the agent's process group and `SIGKILL`. */
  readonly termGraceMs?: number;
  /** The time in milliseconds between the agent's exit and the end of its output, which a grandchild can hold open. */
  readonly outputGraceMs?: number;
  /** The number of bytes from the end of the agent's standard error that are kept for error messages. */
  readonly stderrTailBytes?: number;
  /** A ledger that records the agent, so that the next start ends the agent if the current process is killed. `createLedger` creates it. */
  readonly ledger?: AgentLedger;
  /**
   * What happens to descendants that left the process group (`setsid`, daemons) when the agent is closed: `"report"`
   * (the default) leaves them running, `"end"` ends them. This works on Linux, and on macOS for programs that the
   * system doesn't protect.
   */
  readonly detachedProcesses?: DetachedProcessPolicy;
  /** Receives the descendants that left the process group and were still running when the agent was closed. */
  readonly onDetachedProcesses?: (processes: readonly DetachedProcess[]) => void;
}
