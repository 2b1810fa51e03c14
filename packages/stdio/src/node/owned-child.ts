import type { ChildProcessByStdio, SpawnOptions } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { after } from "@acp-kit/jsonrpc/internal";
import { builtin } from "./builtins.js";
import { childEnvironment } from "./child-environment.js";
import {
  type DetachedProcess,
  type DetachedProcessPolicy,
  killDetachedSync,
  markExpected,
  settleDetached,
} from "./detached-processes.js";
import { resolveLaunch } from "./launch.js";
import type { Launch } from "./launched-program.js";
import type { AgentLedger, AgentPlan, LedgerPage } from "./ledger.js";
import { isProcessError, ProcessError } from "./process-error.js";
import { createMark, markVariable } from "./process-marks.js";
import { KILL_TIMEOUT_MS, ProcessTree } from "./process-tree.js";
import { reapOnExit } from "./reaper.js";
import { explainSpawnFailure } from "./spawn-failure.js";
import type { SpawnAgentOptions } from "./spawn-options.js";
import { WindowsDescendants } from "./windows-descendants.js";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Options of {@link startChild}: the command and how to run it. */
export interface StartChildOptions
  extends Pick<
    SpawnAgentOptions,
    "command" | "args" | "cwd" | "env" | "inheritEnv" | "ledger" | "detachedProcesses" | "leavesBehind"
  > {
  /** Whether the arguments are already quoted for `cmd.exe` (Windows). */
  readonly verbatim?: boolean;
}

/** @internal The facts about a child that has started. */
interface Start {
  readonly mark: string;
  readonly detachedProcesses: DetachedProcessPolicy;
  readonly leavesBehind: readonly string[];
  readonly page: LedgerPage | undefined;
}

/** A child process that leads its own process group, and methods to end it. {@link startChild} creates it. */
export class OwnedChild {
  /** The child process of Node, for its streams and events. To end it, call {@link end}, never its own `kill`. */
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly pid: number;
  /** A promise that resolves when the process itself has ended; its descendants may still run. */
  readonly ended: Promise<void>;
  #exit: { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null } | undefined;
  #detached: readonly DetachedProcess[] = [];
  readonly #tree: ProcessTree;
  readonly #start: Start;
  /**
   * Finds the descendants that outlive the child on Windows, which has no process groups and does not show the
   * environment of other processes. `undefined` on other systems.
   */
  readonly #descendants: WindowsDescendants | undefined;
  readonly #forget: () => void;

  /** @internal If the ledger can't be written, ends the child and throws. */
  constructor(child: Child, pid: number, start: Start) {
    this.process = child;
    this.pid = pid;
    this.#tree = new ProcessTree(pid);
    this.#descendants = process.platform === "win32" ? new WindowsDescendants(pid) : undefined;
    this.#start = start;
    this.#forget = reapOnExit({ killSync: () => this.#killSync() });
    this.ended = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => {
        this.#exit = { exitCode, signal };
        this.#tree.leaderEnded();
        this.#descendants?.ended();
        resolve();
      });
    });
    try {
      start.page?.record(pid);
    } catch (error) {
      void this.end({ exitGraceMs: 0, termGraceMs: 0 });
      throw error;
    }
  }

  /** How the process ended; `undefined` while it runs. */
  get exit(): { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null } | undefined {
    return this.#exit;
  }

  /** The descendants outside the process group that still ran when {@link end} had ended the group. */
  get detachedProcesses(): readonly DetachedProcess[] {
    return this.#detached;
  }

  /** Waits `exitGraceMs` for the process's exit, then sends its group `SIGTERM`, and after `termGraceMs` `SIGKILL`. */
  async end({ exitGraceMs, termGraceMs }: { exitGraceMs: number; termGraceMs: number }): Promise<void> {
    const tree = this.#tree;
    // Looks while the child still runs and is in the process table as the parent of its children
    void this.#descendants?.look();
    if (!(await within(exitGraceMs, this.ended))) {
      tree.kill("SIGTERM");
      if (!(await within(termGraceMs, this.ended))) {
        tree.kill("SIGKILL");
        await within(KILL_TIMEOUT_MS, this.ended);
      }
    }
    if (tree.alive) await tree.end(termGraceMs);
    const { mark, detachedProcesses, leavesBehind, page } = this.#start;
    const detached =
      this.#descendants === undefined
        ? await settleDetached(mark, this.pid, detachedProcesses, termGraceMs)
        : await this.#descendants.settle(detachedProcesses);
    this.#detached = markExpected(detached, leavesBehind);
    this.#forget();
    page?.strike();
    this.process.unref(); // a process that survives even `SIGKILL` must not keep this process from ending
  }

  #killSync(): void {
    this.#tree.killSync();
    if (this.#start.detachedProcesses === "end") killDetachedSync(this.#start.mark);
  }
}

/**
 * Starts a program as the leader of its own process group. `spawnAgent` uses this function. Use it for other commands
 * that must leave no process running. The three standard streams are pipes: the caller has to read standard output and
 * standard error, and end standard input.
 *
 * If the program can't be started, the function throws, or `onError` receives the error later.
 *
 * @throws {TypeError} when an option is invalid.
 * @throws {ProcessError} if the operating system immediately refuses to start the program.
 */
export function startChild(options: StartChildOptions, onError: (error: ProcessError) => void): OwnedChild | undefined {
  const { command, args = [], cwd = process.cwd(), ledger, detachedProcesses = "report", leavesBehind = [] } = options;
  const mark = createMark();
  const own = { ...options.env, ...markVariable(mark, process.env) };
  const context = { command, cwd, env: childEnvironment(process.env, own, options.inheritEnv) };
  const page = ledger === undefined ? undefined : openPage(ledger, { command, mark, detachedProcesses });
  const onSpawnError = (cause: unknown): ProcessError => {
    page?.strike();
    return explainSpawnFailure(cause, context);
  };
  let child: Child;
  try {
    const launch: Launch = options.verbatim ? { file: command, args, verbatim: true } : resolveLaunch(context, args);
    const { file, args: launchArgs, env, verbatim = false } = launch;
    const spawnOptions: SpawnOptions & { stdio: ["pipe", "pipe", "pipe"] } = {
      cwd,
      env: { ...context.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      // The child leads its own process group, so that the whole group can be ended
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    };
    child = builtin("child_process").spawn(file, launchArgs, spawnOptions);
  } catch (error) {
    const failure = onSpawnError(error);
    throw error instanceof TypeError || isProcessError(error) ? error : failure;
  }
  child.on("error", (error) => {
    if (child.pid === undefined) onError(onSpawnError(error));
  });
  if (child.pid === undefined) return undefined;
  try {
    return new OwnedChild(child, child.pid, { mark, detachedProcesses, leavesBehind, page });
  } catch (cause) {
    throw ledgerFailure(command, cause);
  }
}

function openPage(ledger: AgentLedger, plan: AgentPlan): LedgerPage {
  try {
    const page = ledger.plan(plan);
    void ledger.reap().catch(() => {}); // if ending old processes fails, the new one is started nevertheless
    return page;
  } catch (cause) {
    throw ledgerFailure(plan.command, cause);
  }
}

function ledgerFailure(command: string, cause: unknown): ProcessError {
  const reason = cause instanceof Error ? cause.message : cause;
  return new ProcessError("spawn_failed", `Can't start "${command}": its ledger can't be written: ${reason}`, {
    command,
    cause,
  });
}

/** Resolves with `true` if `promise` resolves within the time, otherwise with `false`. */
function within(timeoutMs: number, promise: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const stopTimer = after(timeoutMs, () => resolve(false), { keepAlive: true });
    void promise.then(() => {
      stopTimer();
      resolve(true);
    });
  });
}
