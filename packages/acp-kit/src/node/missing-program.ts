import { knownPrograms } from "@acp-kit/registry";
import { isProcessError } from "@acp-kit/stdio/node";

/**
 * Returns the message for an agent program that does not exist, and says what the user can do. Returns `undefined`
 * for any other error. The original message is for programmers: it contains the whole `PATH` and the name of a
 * function.
 */
export function missingProgramText(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProcessError(cause) && cause.code === "not_found") return missingProgramSentence(cause.command);
  }
  return undefined;
}

/** Returns the message for an agent program that does not exist, from the command that names it. */
export function missingProgramSentence(command: string): string {
  if (/[/\\]/.test(command)) {
    return `Can't start the agent "${command}": there is no such file. Check the path, which is relative to --cwd.`;
  }
  const known = knownPrograms.find((agent) => agent.command === command);
  const next =
    known === undefined
      ? "check the spelling of the command, or install the agent; `acp-kit agents` lists known agents"
      : `install ${known.name} with: acp-kit agents install ${known.id}`;
  return `Can't start the agent "${command}": there is no such program on the PATH; ${next}.`;
}
