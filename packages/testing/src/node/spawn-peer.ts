import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Message, TransportReceiver } from "@acp-kit/jsonrpc";
import { after, checkOptions, limitsAmong, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { RawTransport } from "../raw-transport.js";
import { rawNodeTransport } from "./raw-node-transport.js";

/** Options of {@link spawnPeer}. */
export interface SpawnPeerOptions {
  /** The program to start: a path, or a name to be found in `PATH`. No shell is used. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Environment variables that override those of the current process. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The time in milliseconds that the process may take to exit after the end of its input, and again after `SIGTERM`.
   * The default is 2000; `Infinity` means no limit.
   */
  readonly graceMs?: number;
}

/** How the process ended. */
export interface PeerExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process used as a transport for a script. {@link spawnPeer} creates it. */
export interface PeerProcess extends RawTransport {
  /** The process id; `undefined` if the process could not be started. */
  readonly pid: number | undefined;
  /** The standard error of the process so far, without its beginning if it is longer than a megabyte. */
  readonly stderr: string;
  readonly exited: Promise<PeerExit>;
  /** Sends a signal to the whole process group. */
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts an agent or a client as a process, and returns it as a transport, over which a script can send messages and
 * raw text. The process leads its own process group; closing ends the process's input, then sends the group `SIGTERM`,
 * then `SIGKILL`. Applications should use `spawnAgent` of `@acp-kit/stdio/node` instead.
 *
 * @throws {TypeError} when `graceMs` is not a number of 0 or more.
 */
export function spawnPeer(options: SpawnPeerOptions): PeerProcess {
  checkOptions("spawnPeer", options, optionKinds, "", { isOpen: true });
  return new SpawnedPeer(options);
}

const optionKinds: OptionKinds<SpawnPeerOptions> = {
  command: "value!",
  args: "value",
  cwd: "value",
  env: "value",
  graceMs: "value",
};

/** The maximum number of characters of standard error that are kept. A process can write without end. */
const MAX_STDERR = 1_000_000;

class SpawnedPeer implements PeerProcess {
  readonly exited: Promise<PeerExit>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #transport: RawTransport;
  readonly #graceMs: number;
  #stderr = "";
  #startError: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SpawnPeerOptions) {
    const { command, args = [], cwd, env } = options;
    const { graceMs } = limitsAmong("options", { graceMs: 2_000 }, options);
    this.#graceMs = graceMs;
    const child = spawn(command, [...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      // The process leads its own group, so that its descendants can be ended with it
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    this.exited = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
      child.once("error", (error) => {
        this.#startError = error;
        if (child.pid === undefined) resolve({ exitCode: null, signal: null });
      });
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      // Cut only now and then, because each cut copies the text.
      if (this.#stderr.length > 2 * MAX_STDERR) this.#stderr = this.#stderr.slice(-MAX_STDERR);
    });
    this.#transport = rawNodeTransport(child.stdout, child.stdin, { closeTimeoutMs: graceMs });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr(): string {
    return this.#stderr.slice(-MAX_STDERR);
  }

  get full(): Promise<void> | undefined {
    return this.#transport.full;
  }

  start(receiver: TransportReceiver): void {
    if (this.pid === undefined) {
      // The streams of a process that was not started can end before the error is known.
      void this.exited.then(() => receiver.failed(this.#startError));
      return;
    }
    this.#transport.start({
      message: (value, size) => receiver.message(value, size),
      malformed: (input) => receiver.malformed(input),
      ended: () => receiver.ended(),
      failed: (error) => receiver.failed(this.#startError ?? error),
    });
  }

  send(message: Message): number {
    return this.#transport.send(message);
  }

  write(data: string | Uint8Array): void {
    this.#transport.write(data);
  }

  endOutput(): void {
    this.#transport.endOutput();
  }

  break(error: unknown): void {
    this.#transport.break(error);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // All processes of the group have ended.
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#transport.close();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.#exitsWithin(this.#graceMs)) break;
      this.kill(signal);
    }
    await this.exited;
    this.kill("SIGKILL"); // ends the processes that it has left behind
  }

  #exitsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = after(ms, () => resolve(false), { keepAlive: true });
      void this.exited.then(() => {
        stop();
        resolve(true);
      });
    });
  }
}
