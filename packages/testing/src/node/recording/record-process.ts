import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { after, checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Recorder } from "../../recording/recorder.js";
import { recorderDefaults } from "../../recording/recorder-options.js";
import { type ByteWatcher, watchMessages, watchStderr } from "../../recording/wire-recorder.js";

/**
 * After the agent has exited, the recording ends when no output has arrived for this many milliseconds. Without this
 * limit, a process that the agent started could keep the output open for ever.
 */
const OUTPUT_GRACE_MS = 500;

/** Options of {@link recordProcess}: the command to run, and the client's streams. */
export interface RecordProcessOptions {
  readonly recorder: Recorder;
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The stream from which the client's output is read. It is destroyed when the agent has ended. */
  readonly stdin: Readable;
  /** The stream for the agent's output, from which the client reads. It ends when that output ends. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The maximum size of a message. Of a longer line, only its id and method, or its beginning, are recorded. */
  readonly maxMessageBytes?: number;
}

/** How the recorded agent ended. */
export interface RecordedExit {
  /** The exit code; `null` if a signal ended the agent or it could not be started. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The error, if the agent could not be started. */
  readonly error?: NodeJS.ErrnoException;
}

/** A running agent whose messages are recorded. */
export interface RecordedProcess {
  /** The process id; `undefined` if the agent could not be started. */
  readonly pid: number | undefined;
  /** A promise that resolves when the agent has ended and its output has been forwarded. The promise never rejects. */
  readonly ended: Promise<RecordedExit>;
  /** Forwards a signal to the agent and records it. */
  signal(signal: NodeJS.Signals): void;
}

interface Watcher {
  readonly recorder: Recorder;
  /** The name of the stream it watches. */
  readonly of: string;
  readonly bytes: ByteWatcher;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs an agent between the streams of a client and records all messages. Every byte is forwarded unchanged, JSON or
 * not. If a reader is slow, the writer waits; the end of either stream and a closed pipe are forwarded too. The agent
 * stays in the process group of the current process, so that signals to that group reach it.
 */
export function recordProcess(options: RecordProcessOptions): RecordedProcess {
  checkOptions("recordProcess", options, optionKinds, "", { isOpen: true });
  return recordProcessWith(options);
}

/** Does the same as {@link recordProcess}, with a time that tests choose. */
export function recordProcessWith(
  options: RecordProcessOptions,
  outputGraceMs: number = OUTPUT_GRACE_MS,
): RecordedProcess {
  const { recorder, command, args = [], cwd, env, stdin, stdout, stderr } = options;
  const maxBytes = options.maxMessageBytes ?? recorderDefaults.maxMessageBytes;
  const child: Child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  });
  const words = [command, ...args];
  if (child.pid === undefined) {
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.once("error", resolve));
    return { pid: undefined, ended: failed.then((error) => refused(recorder, words, error)), signal() {} };
  }
  child.on("error", nothing); // for example, a signal could not be delivered; the event `exit` reports the end
  recorder.process({ event: "started", command: words, pid: child.pid });

  const input = { recorder, of: "client's output", bytes: watchMessages(recorder, "client", maxBytes) };
  const output = { recorder, of: "agent's output", bytes: watchMessages(recorder, "agent", maxBytes) };
  const errors = { recorder, of: "agent's standard error", bytes: watchStderr(recorder) };
  void handOn(stdin, child.stdin, input, () => recorder.process({ event: "input_ended" }));
  const outputs = [
    handOn(child.stdout, stdout, output, () => recorder.process({ event: "output_ended" })),
    handOn(child.stderr, stderr, errors),
  ];
  const exited = new Promise<RecordedExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return {
    pid: child.pid,
    ended: finish(child, exited, outputs, outputGraceMs).then((exit) => {
      stdin.destroy();
      recorder.process({ event: "exited", exitCode: exit.exitCode, signal: exit.signal });
      return exit;
    }),
    signal(signal) {
      recorder.process({ event: "signal", signal });
      child.kill(signal);
    },
  };
}

const optionKinds: OptionKinds<RecordProcessOptions> = {
  recorder: "function!",
  command: "value!",
  args: "value",
  cwd: "value",
  env: "value",
  stdin: "value!",
  stdout: "value!",
  stderr: "value!",
  maxMessageBytes: "value",
};

/**
 * Forwards every byte of one stream to another, at the speed of the slower stream, and passes it to `watcher`. Resolves
 * when the end has been forwarded, or when one stream has failed. If one stream fails, the function destroys the other,
 * too.
 *
 * @param onEnd called when the source has ended cleanly. Without `onEnd`, the function neither ends nor destroys the
 * target, because this process also writes to it.
 */
function handOn(from: Readable, to: Writable, watcher: Watcher, onEnd?: () => void): Promise<void> {
  return new Promise((resolve) => {
    let over = false;
    const done = (): void => {
      if (over) return;
      over = true;
      resolve();
    };
    const broken = (): void => {
      from.destroy();
      if (onEnd !== undefined) to.destroy();
      done();
    };
    const watch = unharmed(watcher);
    from.on("data", watch.push);
    from.pipe(to, { end: false }); // `pipe` never ends standard output, and `onEnd` ends other targets
    from.once("end", () => {
      watch.end();
      onEnd?.();
      if (onEnd === undefined) done();
      else to.end();
    });
    from.once("error", broken);
    from.once("close", () => {
      if (from.readableEnded) return;
      watch.end();
      broken();
    });
    to.on("error", broken);
    to.once("finish", done);
    to.once("close", () => {
      if (!to.writableFinished) broken();
    });
  });
}

/** Waits for the exit, then for the end of the output, but at most until no output has arrived for `outputGraceMs`. */
async function finish(
  child: Child,
  exited: Promise<RecordedExit>,
  outputs: readonly Promise<void>[],
  outputGraceMs: number,
): Promise<RecordedExit> {
  const exit = await exited;
  const all = Promise.all(outputs);
  await new Promise<void>((resolve) => {
    const give = (): void => {
      // If the client doesn't read, the output is still queued here, so the wait continues.
      if (child.stdout.readableLength > 0 || child.stderr.readableLength > 0) restart();
      else resolve();
    };
    let stop = (): void => {};
    const restart = (): void => {
      stop();
      stop = after(outputGraceMs, give, { keepAlive: true });
    };
    restart();
    child.stdout.on("data", restart);
    child.stderr.on("data", restart);
    void all.then(() => {
      stop();
      resolve();
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
  await all;
  return exit;
}

/** Wraps a watcher so that its errors don't affect the stream: after an error, the watcher is not called again. */
function unharmed(watcher: Watcher): ByteWatcher {
  let isBroken = false;
  const attempt = (action: () => void): void => {
    if (isBroken) return;
    try {
      action();
    } catch (error) {
      isBroken = true;
      watcher.recorder.note(`The rest of the ${watcher.of} is not recorded: ${String(error)}`);
    }
  };
  return { push: (chunk) => attempt(() => watcher.bytes.push(chunk)), end: () => attempt(() => watcher.bytes.end()) };
}

function refused(recorder: Recorder, command: readonly string[], error: NodeJS.ErrnoException): RecordedExit {
  recorder.process({ event: "started", command });
  recorder.process({ event: "failed", reason: error.message });
  return { exitCode: null, signal: null, error };
}

function nothing(): void {}
