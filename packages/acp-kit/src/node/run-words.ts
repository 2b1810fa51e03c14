import { CommanderError } from "commander";
import { CommandFailure } from "./command-failure.js";
import { errorText, outputFailureText } from "./error-text.js";
import { ExitCode } from "./exit-code.js";
import { exitCodeOf } from "./exit-code-of.js";
import type { Host } from "./host.js";
import { createLog } from "./log.js";
import { namedWords, program } from "./program.js";

/**
 * Runs one command line with the streams and the environment of a host. Never rejects: it reports an error on standard
 * error and converts the error to an exit code.
 */
export async function runWords(words: readonly string[], host: Host): Promise<ExitCode> {
  const code = await settled(words, host);
  await Promise.all([host.stdout.flush(), host.stderr.flush()]);
  const { failure } = host.stdout;
  if (failure === undefined || code === ExitCode.error) return code;
  createLog(host, "error").error(outputFailureText(failure));
  await host.stderr.flush();
  return code === ExitCode.ok ? ExitCode.error : code;
}

async function settled(words: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const commandLine = await program(host, words);
    await commandLine.parseAsync([...namedWords(commandLine, words)], { from: "user" });
    return host.exitCode;
  } catch (error) {
    // Commander has already printed its message. After it has printed the help or the version, it throws an error with
    // the exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const code = error instanceof CommandFailure ? error.exitCode : exitCodeOf(error);
    const { closed, failure } = host.stdout;
    // `| head` has read enough.
    if (code === ExitCode.cancelled && closed.aborted && failure === undefined) return ExitCode.ok;
    createLog(host, "error").error(errorText(error));
    return code;
  }
}
