import { StringDecoder } from "node:string_decoder";
import { after, settledWithin } from "@acp-kit/protocol/internal";
import type { OwnedChild } from "@acp-kit/stdio/node";
import type { TerminalExitStatus, TerminalOutputResponse } from "@acp-kit/types";
import { OutputTail } from "./output-tail.js";
import type { TerminalInfo } from "./terminals-options.js";

/** The limits, the grace times and the callbacks of a terminal. */
export interface TerminalOptions {
  readonly outputBytes: number;
  readonly maxLifetimeMs: number;
  readonly termGraceMs: number;
  readonly outputGraceMs: number;
  readonly onOutput: (text: string) => void;
  readonly onExit: (exitStatus: TerminalExitStatus) => void;
}

/** A command that runs or has ended: its output, its exit status, and a way to end it. */
export class Terminal {
  readonly info: TerminalInfo;
  /** Resolves when the command has ended and its output is complete; never rejects. */
  readonly exited: Promise<TerminalExitStatus>;
  /** Resolves when the terminal has been released; never rejects. */
  readonly released: Promise<void>;
  readonly #child: OwnedChild;
  readonly #options: TerminalOptions;
  readonly #tail: OutputTail;
  #exitStatus: TerminalExitStatus | undefined;
  #ending: Promise<void> | undefined;
  #resolveReleased: () => void = () => {};

  constructor(info: TerminalInfo, child: OwnedChild, options: TerminalOptions) {
    this.info = info;
    this.#child = child;
    this.#options = options;
    this.#tail = new OutputTail(options.outputBytes);
    const { stdin, stdout, stderr } = child.process;
    stdin.on("error", () => {}); // the command ended before its input was written
    stdin.end(); // a program that reads its input gets the end immediately
    const drained = Promise.all([stdout, stderr].map((stream) => this.#read(stream)));
    this.exited = this.#settle(drained);
    this.released = new Promise((resolve) => {
      this.#resolveReleased = resolve;
    });
  }

  /** Returns the output so far, and the exit status once the command has ended. */
  output(): TerminalOutputResponse {
    const output = { output: this.#tail.toString(), truncated: this.#tail.truncated };
    return this.#exitStatus === undefined ? output : { ...output, exitStatus: this.#exitStatus };
  }

  /**
   * Ends the command with all its processes, including background processes. Resolves when none of them runs. A second
   * call has no effect; the promise never rejects.
   */
  async kill(): Promise<void> {
    const { termGraceMs, outputGraceMs } = this.#options;
    // The command has ended, but the ledger can't be updated.
    this.#ending ??= this.#child.end({ exitGraceMs: 0, termGraceMs }).catch(() => {});
    await this.#ending;
    // A process that survives even SIGKILL is reported as running
    await settledWithin(outputGraceMs * 2, this.exited, { keepAlive: true });
  }

  /** Kills the command and releases its resources, even if another process still writes output. */
  async release(): Promise<void> {
    await this.kill();
    const { stdin, stdout, stderr } = this.#child.process;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.#resolveReleased();
  }

  async #settle(drained: Promise<unknown>): Promise<TerminalExitStatus> {
    const { maxLifetimeMs, outputGraceMs, onExit } = this.#options;
    const stopTimer = after(maxLifetimeMs > 0 ? maxLifetimeMs : Number.POSITIVE_INFINITY, () => void this.kill());
    await this.#child.ended;
    stopTimer();
    await settledWithin(outputGraceMs, drained, { keepAlive: true }); // a background process may keep the output open
    const { exitCode = null, signal = null } = this.#child.exit ?? {};
    this.#exitStatus = { exitCode, signal };
    onExit(this.#exitStatus);
    return this.#exitStatus;
  }

  /** Reads one output stream, with its own decoder: a character can be split between two chunks. */
  #read(stream: NodeJS.ReadableStream): Promise<void> {
    const decoder = new StringDecoder("utf8");
    const write = (text: string): void => {
      if (text === "") return;
      this.#tail.append(text);
      this.#options.onOutput(text);
    };
    stream.on("data", (chunk: Buffer) => write(decoder.write(chunk)));
    return new Promise((resolve) => {
      stream.once("error", () => resolve()); // the pipe failed: keep the output so far
      stream.once("close", () => {
        write(decoder.end());
        resolve();
      });
    });
  }
}
