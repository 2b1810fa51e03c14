import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { childEnvironment } from "./child-environment.js";
import { resolveLaunch } from "./launch.js";
import { NodeTransport } from "./node-transport.js";
import { isProcessError, ProcessError, type ProcessErrorCode } from "./process-error.js";
import { ProcessTree } from "./process-tree.js";
import { reapOnExit } from "./reaper.js";
import { explainSpawnFailure } from "./spawn-failure.js";
import { type SpawnAgentOptions, spawnAgentDefaults } from "./spawn-options.js";
import { StderrLog } from "./stderr-log.js";

/** How an agent's process ended. */
export interface ProcessExit {
  /** `null` when a signal ended it, or when it never started. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it ended without being asked to; `undefined` after `close()`. */
  readonly error: ProcessError | undefined;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** What belongs to a process that did start. */
interface Running {
  readonly child: Child;
  readonly tree: ProcessTree;
  readonly transport: NodeTransport;
  readonly stderr: StderrLog;
  /** Resolves when the process itself has ended; what it started may live on. */
  readonly ended: Promise<void>;
  readonly forget: () => void;
}

/** An agent's process as a transport. Made by `spawnAgent`, whose description says how it lives and ends. */
export class AgentProcess implements Transport, AsyncDisposable {
  /** Resolves once the process and all that was left of its group are gone. Never rejects. */
  readonly exited: Promise<ProcessExit>;

  readonly #options: Required<
    Pick<SpawnAgentOptions, "startTimeoutMs" | "exitGraceMs" | "termGraceMs" | "settleTimeoutMs" | "stderrTailBytes">
  > &
    SpawnAgentOptions;
  readonly #running: Running | undefined;
  readonly #onAbort = (): void => this.#aborted();
  #resolveExited: (exit: ProcessExit) => void = () => {};
  #receiver: TransportReceiver | undefined;
  #error: ProcessError | undefined;
  #exit: { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null } | undefined;
  #heard = false;
  #paused = false;
  #outputEnded = false;
  #stderrEnded = false;
  #silence: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  /** @internal Use `spawnAgent`. */
  constructor(options: SpawnAgentOptions) {
    if (typeof options.command !== "string" || options.command === "") {
      throw new TypeError("spawnAgent: `command` must name a program.");
    }
    this.#options = { ...spawnAgentDefaults, ...withoutUndefined(options) };
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
    if (options.signal?.aborted) {
      this.#aborted();
      return;
    }
    this.#running = this.#launch();
    if (this.#running !== undefined) options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** `undefined` when it could not be started. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /** The end of what it wrote to standard error so far. */
  get stderrTail(): string {
    return this.#running?.stderr.tail ?? "";
  }

  get full(): Promise<void> | undefined {
    return this.#running?.transport.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#error !== undefined) {
      const error = this.#error;
      queueMicrotask(() => receiver.failed(error));
      return;
    }
    this.#running?.transport.start({
      message: (value, size) => {
        this.#heard = true;
        receiver.message(value, size);
      },
      malformed: (input) => receiver.malformed(input),
      ended: () => {
        this.#outputEnded = true;
        this.#settle("closed_output", "closed its output and lives on");
      },
      failed: (cause) => {
        this.#outputEnded = true;
        this.#settle("closed_input", "doesn't read its input any more", cause);
      },
    });
  }

  send(message: Message): number {
    const { startTimeoutMs } = this.#options;
    if (this.#silence === undefined && !this.#heard && startTimeoutMs > 0 && this.#closing === undefined) {
      this.#silence = setTimeout(() => this.#silent(), startTimeoutMs).unref();
    }
    return this.#running?.transport.send(message) ?? 0;
  }

  pause(): void {
    this.#paused = true;
    this.#running?.transport.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#running?.transport.resume();
  }

  /** Ends the process and its group: end of input, `SIGTERM`, `SIGKILL`, with time in between. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #launch(): Running | undefined {
    const { command, args = [], cwd = process.cwd(), env, inheritEnv, onStderr, stderrTailBytes } = this.#options;
    const context = { command, cwd, env: childEnvironment(process.env, env, inheritEnv) };
    let child: Child;
    try {
      const launch = resolveLaunch(context, args);
      child = spawn(launch.file, launch.args, {
        cwd,
        env: context.env,
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32", // leads a group of its own, so that all of it can be ended
        windowsHide: true,
        windowsVerbatimArguments: launch.verbatim ?? false,
      });
    } catch (error) {
      if (error instanceof TypeError) throw error; // the caller's mistake
      this.#fail(isProcessError(error) ? error : explainSpawnFailure(error, context));
      return undefined;
    }
    child.on("error", (error) => {
      if (child.pid === undefined) this.#fail(explainSpawnFailure(error, context));
    });
    if (child.pid === undefined) return undefined;
    const tree = new ProcessTree(child.pid);
    const ended = new Promise<void>((resolve) => {
      child.once("exit", (exitCode, signal) => {
        this.#exit = { exitCode, signal };
        void tree.alive; // looked at while the number is certainly ours
        this.#settle("exited", "");
        resolve();
      });
    });
    const stderr = new StderrLog(child.stderr, stderrTailBytes, onStderr);
    child.stderr.once("close", () => {
      this.#stderrEnded = true;
      if (this.#exit !== undefined) this.#settle("exited", "");
    });
    const { settleTimeoutMs, exitGraceMs } = this.#options;
    const transport = new NodeTransport(child.stdout, child.stdin, {
      ...this.#options,
      lastWordsTimeoutMs: settleTimeoutMs,
      closeTimeoutMs: exitGraceMs,
    });
    return { child, tree, transport, stderr, ended, forget: reapOnExit(tree) };
  }

  /**
   * The process or one of its pipes has ended. They end together, but tell one by one, and last messages may still be in a
   * pipe: wait for the others, not for long, and then say what happened.
   */
  #settle(code: ProcessErrorCode, what: string, cause?: unknown): void {
    if (this.#closing !== undefined) return;
    if (this.#exit !== undefined && this.#outputEnded && this.#stderrEnded) {
      this.#fail(this.#exitError(this.#exit.exitCode, this.#exit.signal));
      return;
    }
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (this.#paused && !this.#outputEnded)
        this.#settle(code, what, cause); // what is in the pipe comes when reading goes on
      else if (this.#exit !== undefined) this.#fail(this.#exitError(this.#exit.exitCode, this.#exit.signal));
      else this.#fail(this.#problem(code, what, cause));
    }, this.#options.settleTimeoutMs);
  }

  #exitError(exitCode: number | null, signal: NodeJS.Signals | null): ProcessError {
    return signal === null
      ? this.#problem("exited", `exited with code ${exitCode}`)
      : this.#problem("killed", `was killed by ${signal}`);
  }

  #problem(code: ProcessErrorCode, what: string, cause?: unknown): ProcessError {
    const { command } = this.#options;
    const stderrTail = this.stderrTail;
    const lastLine = stderrTail.trimEnd().split("\n").at(-1)?.trim().slice(0, 300);
    const when = this.#heard ? "" : " before its first message";
    const hint = lastLine ? ` Its last line on standard error: ${lastLine}` : "";
    const { exitCode, signal } = this.#exit ?? {};
    const details = { command, pid: this.pid, exitCode, signal, stderrTail, cause };
    return new ProcessError(code, `The agent "${command}" ${what}${when}.${hint}`, details);
  }

  #silent(): void {
    if (this.#heard) return;
    this.#fail(this.#problem("silent", `said nothing for ${this.#options.startTimeoutMs} ms`));
  }

  #aborted(): void {
    this.#fail(this.#problem("aborted", "was ended by the caller's signal", this.#options.signal?.reason));
  }

  #fail(error: ProcessError): void {
    if (this.#error !== undefined || this.#closing !== undefined) return;
    this.#error = error;
    this.#receiver?.failed(error);
    void this.close();
  }

  async #close(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    clearTimeout(this.#silence);
    clearTimeout(this.#settling);
    if (this.#running !== undefined) await this.#end(this.#running);
    this.#resolveExited({ exitCode: null, signal: null, ...this.#exit, error: this.#error });
  }

  async #end({ child, tree, transport, stderr, ended, forget }: Running): Promise<void> {
    const { exitGraceMs, termGraceMs } = this.#options;
    void transport.finishWriting();
    if (!(await within(exitGraceMs, ended))) {
      tree.kill("SIGTERM");
      if (!(await within(termGraceMs, ended))) {
        tree.kill("SIGKILL");
        await within(KILL_TIMEOUT_MS, ended);
      }
    }
    if (tree.alive) {
      tree.kill("SIGTERM");
      if (!(await tree.ended(termGraceMs))) {
        tree.kill("SIGKILL");
        await tree.ended(KILL_TIMEOUT_MS);
      }
    }
    forget();
    transport.release();
    stderr.close();
    child.unref(); // one that even SIGKILL doesn't end (a broken disk, say) must not keep us
  }
}

/** `SIGKILL` is obeyed at once, or, when the kernel is stuck, perhaps never. */
const KILL_TIMEOUT_MS = 2_000;

/** Whether `promise` resolves within the time. */
function within(timeoutMs: number, promise: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** An option that is given as `undefined` is one that is not given. */
function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
