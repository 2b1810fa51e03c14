import type { Readable } from "node:stream";
import { ExitCode } from "./exit-code.js";
import { Output } from "./output.js";

/** What a command sees of the process that it runs in. Handed to every command, so that a test can hand it another one. */
export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For the result and for nothing else. */
  readonly stdout: Output;
  /** For everything else. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How the command ends when it doesn't throw: set it, and return. */
  exitCode: ExitCode;
}

/** The host that is this process. */
export function processHost(): Host {
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    stdout: new Output(stdout, env),
    stderr: new Output(stderr, env),
    env,
    cwd: process.cwd(),
    exitCode: ExitCode.ok,
  };
}
