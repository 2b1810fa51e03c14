import { PassThrough, Readable, Writable } from "node:stream";
import { ExitCode } from "../src/node/exit-code.js";
import { type Host, redactorFor } from "../src/node/host.js";
import { Output, type OutputStream } from "../src/node/output.js";
import { runWords } from "../src/node/run-words.js";

/** The input, terminal and environment of the process that a test simulates. */
export interface FakeHostOptions {
  /** The text of standard input. Default: empty, or a terminal if `terminal` is set. */
  readonly stdin?: string;
  /** Whether standard input and standard error are a terminal. */
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A host that records its output. */
export interface FakeHost extends Host {
  readonly out: () => string;
  readonly err: () => string;
  /** Types into the terminal. */
  readonly type: (text: string) => void;
}

export function fakeHost({ stdin, terminal = false, env = {} }: FakeHostOptions = {}): FakeHost {
  const keyboard = new PassThrough();
  const input = terminal ? Object.assign(keyboard, { isTTY: true }) : Readable.from(stdin === undefined ? [] : [stdin]);
  const [out, stdout] = kept(false);
  const [err, stderr] = kept(terminal);
  return {
    stdin: input,
    stdout: new Output(stdout, env),
    stderr: new Output(stderr, env),
    env,
    cwd: process.cwd(),
    redactor: redactorFor(env),
    exitCode: ExitCode.ok,
    out,
    err,
    type: (text) => void keyboard.write(text),
  };
}

/** Runs a command line in a fake host. */
export async function run(
  words: readonly string[],
  options: FakeHostOptions = {},
): Promise<{ readonly code: ExitCode; readonly out: string; readonly err: string }> {
  const host = fakeHost(options);
  const code = await runWords(words, host);
  return { code, out: host.out(), err: host.err() };
}

function kept(isTTY: boolean): [() => string, OutputStream] {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return [() => text, Object.assign(stream, { isTTY, columns: 100 })];
}
