import type { ExitCode } from "./exit-code.js";
import { processHost } from "./host.js";
import { runWords } from "./run-words.js";

export { ExitCode } from "./exit-code.js";

/**
 * Runs a command line. Resolves with the exit code when all output is flushed. Never rejects.
 *
 * @param words the arguments after `acp-kit`, such as `["run", "--prompt", "hi", "--", "my-agent"]`.
 */
export function main(words: readonly string[]): Promise<ExitCode> {
  return runWords(words, processHost());
}
