import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { after, callQuietly, closedBeforeStart, limitsAmong, onAbort } from "@acp-kit/jsonrpc/internal";
import { crashLine } from "./crash-line.js";
import type { DetachedProcess } from "./detached-processes.js";
import { NodeTransport } from "./node-transport.js";
import { type OwnedChild, startChild } from "./owned-child.js";
import { isProcessError, ProcessError, type ProcessErrorCode } from "./process-error.js";
import { type FixedProcessLimits, fixedProcessLimits } from "./process-limits.js";
import { type SpawnAgentOptions, spawnAgentDefaults } from "./spawn-options.js";
import { StderrLog } from "./stderr-log.js";

/** How the process of an agent ended. */
export interface ProcessExit {
  /** The exit code; `null` if a signal ended the process or it never started. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The error with which the process ended unexpectedly; `undefined` after `close()`. */
  readonly error: ProcessError | undefined;
  /**
   * The descendants of the agent outside its process group that still ran when the group had ended. The option
   * `detachedProcesses` decides whether the library ends them.
   */
  readonly detachedProcesses: readonly DetachedProcess[];
}

interface Running {
  readonly child: OwnedChild;
  readonly transport: NodeTransport;
  readonly stderr: StderrLog;
}

type Options = SpawnAgentOptions & typeof spawnAgentDefaults & FixedProcessLimits;

/** The process of an agent, used as a transport. `spawnAgent` creates it and describes how it ends. */
export class AgentProcess implements Transport, AsyncDisposable {
  /** A promise that resolves once the process and the rest of its process group have ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;

  readonly #options: Options;
  readonly #running: Running | undefined;
  readonly #onAbort = (): void => this.#aborted();
  #resolveExited: (exit: ProcessExit) => void = () => {};
  #receiver: TransportReceiver | undefined;
  #error: ProcessError | undefined;
  #hasReceived = false;
  #paused = false;
  #outputEnded = false;
  #stderrEnded = false;
  #stopSilence: (() => void) | undefined;
  #stopSettling: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  /** @internal Use `spawnAgent`. */
  constructor(options: SpawnAgentOptions, fixed: Partial<FixedProcessLimits> = {}) {
    if (typeof options.command !== "string" || options.command === "") {
      throw new TypeError("spawnAgent: `command` must name a program.");
    }
    // an option that is `undefined` gets its default
    const limits = limitsAmong("spawnAgent", spawnAgentDefaults, options);
    this.#options = { ...options, ...fixedProcessLimits, ...fixed, ...limits };
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
    const { signal } = options;
    if (!signal?.aborted) this.#running = this.#launch();
    if (signal !== undefined && this.#error === undefined) onAbort(signal, this.#onAbort);
  }

  /** The process id; `undefined` if the process could not be started. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /** The program that was started. */
  get command(): string {
    return this.#options.command;
  }

  /** Whether messages can still be exchanged: `true` until the process failed or was closed. */
  get isOpen(): boolean {
    return this.#closing === undefined;
  }

  /** The last part of the agent's standard error so far, at most `stderrTailBytes`. */
  get stderrTail(): string {
    return this.#running?.stderr.tail ?? "";
  }

  /** @internal A promise that resolves when the process itself has ended; its descendants may still run. */
  get ended(): Promise<unknown> {
    return this.#running?.child.ended ?? this.exited;
  }

  get full(): Promise<void> | undefined {
    return this.#running?.transport.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#error !== undefined || this.#closing !== undefined) {
      const error = this.#error ?? closedBeforeStart();
      queueMicrotask(() => receiver.failed(error));
      return;
    }
    this.#running?.transport.start({
      message: (value, size) => {
        this.#hasReceived = true;
        receiver.message(value, size);
      },
      malformed: (input) => receiver.malformed(input),
      ended: () => {
        this.#outputEnded = true;
        this.#settle("closed_output", "closed its output but still runs");
      },
      failed: (cause) => {
        this.#outputEnded = true;
        this.#settle("closed_input", "no longer reads its input", cause);
      },
    });
  }

  send(message: Message): number {
    const { startTimeoutMs } = this.#options;
    if (this.#stopSilence === undefined && !this.#hasReceived && startTimeoutMs > 0 && this.#closing === undefined) {
      this.#stopSilence = after(startTimeoutMs, () => this.#silent());
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

  /**
   * Ends the process and its process group: first ends the process's input, then sends `SIGTERM`, then `SIGKILL`, with
   * grace times in between. A second call has no effect, and the returned promise never rejects.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #launch(): Running | undefined {
    const options = this.#options;
    try {
      const child = startChild(options, (error) => this.#fail(error));
      if (child === undefined) return undefined;
      const { stdin, stdout, stderr } = child.process;
      const transport = new NodeTransport(stdout, stdin, {
        ...options,
        inputGraceMs: options.outputGraceMs,
        closeTimeoutMs: options.exitGraceMs,
      });
      void child.ended.then(() => this.#settle("exited", "exited"));
      stderr.once("close", () => {
        this.#stderrEnded = true;
        if (child.exit !== undefined) this.#settle("exited", "exited");
      });
      return { child, transport, stderr: new StderrLog(stderr, options.stderrTailBytes, options.onStderr) };
    } catch (error) {
      if (!isProcessError(error)) throw error; // the caller passed an invalid option
      this.#fail(error);
      return undefined;
    }
  }

  /**
   * Called when the process or one of its pipes has ended. The process and its pipes report their ends in separate
   * events, and a pipe can still contain the last messages. So the method waits for the other events, at most
   * `outputGraceMs`, and then reports the error.
   */
  #settle(code: ProcessErrorCode, what: string, cause?: unknown): void {
    if (this.#closing !== undefined) return;
    const hasExited = this.#running?.child.exit !== undefined;
    if (hasExited && this.#outputEnded && this.#stderrEnded) {
      this.#fail(this.#exitError());
      return;
    }
    const settle = (): void => {
      this.#stopSettling = undefined;
      if (this.#paused && !this.#outputEnded) {
        this.#settle(code, what, cause); // the rest of the pipe is read when reading resumes
        return;
      }
      // If this process was busy until the timer fired, it has not read the rest of the pipe yet. The event loop reads
      // the pipe before it runs immediates.
      setImmediate(() => {
        if (this.#running?.child.exit !== undefined) this.#fail(this.#exitError());
        else this.#fail(this.#problem(code, what, cause));
      });
    };
    this.#stopSettling ??= after(this.#options.outputGraceMs, settle, { keepAlive: true });
  }

  #exitError(): ProcessError {
    const { exitCode, signal } = this.#running?.child.exit ?? {};
    return signal == null
      ? this.#problem("exited", `exited with code ${exitCode}`)
      : this.#problem("killed", `was killed by ${signal}`);
  }

  #problem(code: ProcessErrorCode, what: string, cause?: unknown): ProcessError {
    const { command } = this.#options;
    const { pid, stderrTail } = this;
    const reason = crashLine(stderrTail);
    const when = this.#hasReceived ? "" : " before its first message";
    const hint = reason === undefined ? "" : ` It wrote to standard error: ${reason}`;
    const details = { command, pid, ...this.#running?.child.exit, stderrTail, cause };
    return new ProcessError(code, `The agent "${command}" ${what}${when}.${hint}`, details);
  }

  #silent(): void {
    if (this.#hasReceived) return;
    this.#fail(this.#problem("silent", `sent nothing for ${this.#options.startTimeoutMs} ms`));
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
    const { signal } = this.#options;
    signal?.removeEventListener("abort", this.#onAbort);
    this.#stopSilence?.();
    this.#stopSettling?.();
    if (this.#running !== undefined) {
      const { child, transport, stderr } = this.#running;
      void transport.finishWriting();
      await child.end(this.#options);
      transport.release();
      stderr.close();
    }
    const { exit, detachedProcesses = [] } = this.#running?.child ?? {};
    this.#resolveExited({ exitCode: null, signal: null, ...exit, error: this.#error, detachedProcesses });
    if (detachedProcesses.length > 0) callQuietly(() => this.#options.onDetachedProcesses?.(detachedProcesses));
  }
}
