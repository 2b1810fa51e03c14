import type { Readable } from "node:stream";
import { createRedactor, type Redactor } from "@acp-kit/redact";
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
  /** Hides secrets in everything that is printed or kept; `undefined` when the user wants to see them. It knows those in {@link env}. */
  redactor: Redactor | undefined;
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
    redactor: redactorFor(env),
    exitCode: ExitCode.ok,
  };
}

/** A redactor that knows the secrets of an environment, such as API keys that an agent may log. */
export function redactorFor(env: Host["env"]): Redactor {
  const redactor = createRedactor();
  redactor.learn(env);
  return redactor;
}
