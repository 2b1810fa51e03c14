import type { Environment } from "./child-environment.js";
import type { DetachedProcess, DetachedProcessPolicy } from "./detached-processes.js";
import type { AgentLedger } from "./ledger.js";
import { type NodeTransportOptions, nodeTransportDefaults } from "./node-transport.js";

/** The named defaults of `spawnAgent`. */
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

/** The command to start, and its options. Every limit has a default in {@link spawnAgentDefaults}. */
export interface SpawnAgentOptions extends Omit<NodeTransportOptions, "closeTimeoutMs" | "inputGraceMs"> {
  /** A program: a path, or a name to be found in `PATH`. Never a shell line. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Its working directory. Default: that of this process. */
  readonly cwd?: string;
  /** Variables for the agent, set over the inherited ones; `undefined` removes one. */
  readonly env?: Environment;
  /** Which variables of this process the agent inherits: all (`true`, the default), none, or those named. See `essentialEnvironment`. */
  readonly inheritEnv?: boolean | readonly string[];
  /** Aborting ends the agent, as `close()` does; pending requests reject with its reason. */
  readonly signal?: AbortSignal;
  /** Receives each line of its standard error, which is read in any case. */
  readonly onStderr?: (line: string) => void;
  /** How long it may stay silent after the first message to it; 0 for ever. */
  readonly startTimeoutMs?: number;
  /** How long it may take to exit after the end of its input, before `SIGTERM`. */
  readonly exitGraceMs?: number;
  /** How long its process group may take to end after `SIGTERM`, before `SIGKILL`. */
  readonly termGraceMs?: number;
  /** How far its exit and the end of its output may lie apart; a grandchild can hold the output open for ever. */
  readonly outputGraceMs?: number;
  /** How much of the end of its standard error is kept for error messages. */
  readonly stderrTailBytes?: number;
  /** Records the agent, so that the next start ends it if this process crashes. See `createLedger`. */
  readonly ledger?: AgentLedger;
  /**
   * What happens to descendants that left the process group (`setsid`, daemons) when the agent is closed: `"report"` (the
   * default) leaves them running, `"end"` ends them. Works on Linux, and on macOS for programs that the system doesn't protect.
   */
  readonly detachedProcesses?: DetachedProcessPolicy;
  /** Receives the descendants that left the process group and were still running when the agent was closed. */
  readonly onDetachedProcesses?: (processes: readonly DetachedProcess[]) => void;
}
