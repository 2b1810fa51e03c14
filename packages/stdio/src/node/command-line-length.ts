import { ProcessError } from "./process-error.js";

/** The longest command line that Windows accepts: 32,767 UTF-16 code units, including the zero at its end. */
const MAX_WINDOWS = 32_766;
/** The length of the longest command line that `cmd.exe` accepts. */
const MAX_CMD = 8_191;

/** Returns the length of a command line: its words, with one space between two words. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length + 1, -1);
}

/**
 * Checks that a command line isn't longer than Windows allows. The words may be unquoted. Quoting makes them longer; if
 * the line is too long only after quoting, Windows itself refuses it.
 *
 * @throws {ProcessError} when the command line is longer.
 * @see https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
 */
export function assertWindowsLength(command: string, words: readonly string[]): void {
  assertLength(command, words, MAX_WINDOWS, "Windows");
}

/**
 * Checks that a command line isn't longer than `cmd.exe` allows, because `cmd.exe` cuts off a longer line.
 *
 * @throws {ProcessError} when the command line is longer.
 * @see https://learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation
 */
export function assertCmdLength(command: string, words: readonly string[]): void {
  assertLength(command, words, MAX_CMD, "cmd.exe, which runs batch files,");
}

function assertLength(command: string, words: readonly string[], limit: number, reader: string): void {
  const length = lengthOf(words);
  if (length <= limit) return;
  const message = `Can't start "${command}": its command line has ${length} characters or more, and ${reader} accepts at most ${limit}. Pass long input in a file or on standard input.`;
  throw new ProcessError("spawn_failed", message, {
    command,
    cause: Object.assign(new Error(message), { code: "E2BIG" }),
  });
}
