import type { OptionKinds } from "@acp-kit/jsonrpc/internal";
import { byteTransportDefaults } from "../limits.js";
import type { Environment } from "./child-environment.js";
import type { DetachedProcess, DetachedProcessPolicy } from "./detached-processes.js";
import type { AgentLedger } from "./ledger.js";
import type { NodeTransportOptions } from "./node-transport.js";

/** The default of every limit of `spawnAgent`. */
export const spawnAgentDefaults: Required<
  Pick<SpawnAgentOptions, "maxMessageBytes" | "startTimeoutMs" | "exitGraceMs">
> = {
  maxMessageBytes: byteTransportDefaults.maxMessageBytes,
  startTimeoutMs: 60_000,
  exitGraceMs: 2_000,
};

/** Options of `spawnAgent`: the command and how to run it. {@link spawnAgentDefaults} has the default of each limit. */
export interface SpawnAgentOptions extends Pick<NodeTransportOptions, "maxMessageBytes"> {
  /** The program to start: a path, or a name that is searched in `PATH`. Arguments are in `args`. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The working directory of the agent; by default that of the current process. */
  readonly cwd?: string;
  /**
   * Environment variables for the agent, which override the inherited ones; `undefined` removes a variable. If the
   * agent gets a proxy (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`), `NO_PROXY` also contains the names of this machine.
   */
  readonly env?: Environment;
  /**
   * Which environment variables of the current process the agent inherits: all (`true`, the default), none (`false`),
   * or those in the list. `essentialEnvironment` is such a list. All are those without the variables of a program that
   * embeds this process: `ELECTRON_*`, and `VSCODE_*` except `VSCODE_GIT_*` and `VSCODE_IPC_HOOK_CLI`.
   */
  readonly inheritEnv?: boolean | readonly string[];
  /** Aborting ends the agent, as `close()` does, with its reason as the `cause` of the `ProcessError`. */
  readonly signal?: AbortSignal;
  /** Receives each line of the agent's standard error, which is always read. Errors it throws are ignored. */
  readonly onStderr?: (line: string) => void;
  /**
   * The time in milliseconds, from the client's first message, within which the agent must send something. Otherwise
   * the agent is ended, with the error `silent`. 0 means no limit.
   */
  readonly startTimeoutMs?: number;
  /** The milliseconds for the exit after the end of input, before `SIGTERM`, and 2 s later `SIGKILL`. */
  readonly exitGraceMs?: number;
  /** Records the agent; see `createLedger`. If this process is killed, its next start ends the agent. */
  readonly ledger?: AgentLedger;
  /**
   * What the library does, when the agent is closed, with descendants that left the process group (daemons, programs
   * started with `setsid`). `"report"` (the default) only reports them, `"end"` also ends them. The library finds them
   * on Linux, on macOS if the system doesn't protect the program, and on Windows by their parents. On Windows, it
   * misses a process whose parent ended before the agent was closed.
   */
  readonly detachedProcesses?: DetachedProcessPolicy;
  /**
   * The programs that the agent leaves running on purpose, such as a daemon: their names, without a path. They are
   * reported as `expected`. With `detachedProcesses: "end"`, the library ends them, too.
   */
  readonly leavesBehind?: readonly string[];
  /** Receives descendants outside the group that ran when the agent was closed. Errors it throws are ignored. */
  readonly onDetachedProcesses?: (processes: readonly DetachedProcess[]) => void;
}

/** The kinds of the options, for their check. */
export const spawnOptionKinds: OptionKinds<SpawnAgentOptions> = {
  command: "value!",
  args: "value",
  cwd: "value",
  env: "value",
  inheritEnv: "value",
  signal: "value",
  onStderr: "function",
  startTimeoutMs: "value",
  exitGraceMs: "value",
  ledger: "value",
  detachedProcesses: ["report", "end"],
  leavesBehind: "value",
  onDetachedProcesses: "function",
  maxMessageBytes: "value",
};
