import type { Readable } from "node:stream";
import { createRedactor, type Redactor } from "@acp-kit/redact";
import { ExitCode } from "./exit-code.js";
import { Output } from "./output.js";

/** The parts of the process that commands use: streams, environment, working directory. Tests replace it. */
export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The output for the result of the command, and for nothing else. */
  readonly stdout: Output;
  /** The output for everything that is not the result: logs, prompts, progress. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Redacts all output and stored text; `undefined` with `--show-secrets`. Knows the secrets of {@link env}. */
  redactor: Redactor | undefined;
  /** The exit code of a command that doesn't throw. The command sets it before it returns. */
  exitCode: ExitCode;
}

/** Creates the host for this process. */
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

/** Creates a redactor that knows the secrets of an environment, such as API keys that an agent may log. */
export function redactorFor(env: Host["env"]): Redactor {
  const redactor = createRedactor();
  redactor.learn(env);
  return redactor;
}
