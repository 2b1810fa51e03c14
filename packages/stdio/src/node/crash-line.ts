import { builtin } from "./builtins.js";

/**
 * Only this number of characters at the end of standard error is searched, and of each line only its first `MAX_LINE`
 * characters. The two limits bound the time of the patterns below.
 */
const MAX_TEXT = 16_384;
const MAX_LINE = 300;

/**
 * Matches lines that runtimes and tools print before or after the reason why the process ended. These lines never
 * contain the reason. Only unindented lines are matched, because an indented line is a detail of the line above it.
 */
const FURNITURE: readonly RegExp[] = [
  /^$/,
  /^(?:Node\.js|Bun|Deno) v?\d/, // the version, after a stack
  /^\(Use `node --/, // "… to show where the warning was created"
  /^note: /, // Rust: "run with `RUST_BACKTRACE=1` …"
  /^stack backtrace:$/i,
  /^Stack trace:$/, // PHP
  /^#\d+ /, // PHP, gdb
  /^\d+: 0x/, // Node's native stack, with ten frames or more
  /^-{3,}[^-]{1,100}-{3,}$/, // "----- Native stack trace -----"
  /^goroutine \d+ \[/,
  /^\[signal SIG/, // Go
  /^created by /, // Go
  /^exit status \d+$/, // `go run`
  /^[\])}]/, // the end of a printed object
  /^[\^~]+$/, // the marker below a source line
  /^Caused by:$/,
  /^npm (?:error|ERR!) (?:code \S+|\d+|A complete log .*|)$/,
];

/** Matches the first line of a reason: `Error: …`, `pkg.mod.SomeError: …`, `Uncaught …`, `panic: …`. */
const HEADER =
  /^(?:(?:Uncaught|Unhandled|Exception|Caused by|error|fatal|panic|PHP Fatal)\b|[\w$.]{0,200}(?:Error|Exception|Rejection|Warning)\b)/i;

/** Whether the line after this one is the reason: `thread 'main' panicked at src/main.rs:2:5:` (Rust). */
function isAnnouncement(line: string): boolean {
  return /^thread '[^']*'/.test(line) && line.includes(" panicked at ") && line.endsWith(":");
}

/** Matches a line of an npm error. Of several such lines, the first one names the cause, below npm's warnings. */
const NPM_ERROR = /^npm (?:error|ERR!) /;

/** Matches the line with which C++ prints the reason. Other indented lines never contain it. */
const WHAT = /^ {1,8}what\(\): /;

/**
 * Returns the line of a process's standard error that says why the process ended: the message of an uncaught error (not
 * its stack, and not the version of the runtime) or, if there is none, the last meaningful line. Returns `undefined` if
 * standard error is empty. The line has at most 300 characters, no control sequences of terminals and no control
 * characters.
 */
export function crashLine(stderr: string): string | undefined {
  const text = builtin("util").stripVTControlCharacters(stderr.slice(-MAX_TEXT));
  const lines = text.split("\n").map((line) => shownOf(line.trimEnd()).slice(0, MAX_LINE).trimEnd());
  const last = lines.findLastIndex((_, index) => isCandidate(lines, index));
  const line = last < 0 ? lines.findLast((each) => each !== "") : lines[firstOfReason(lines, last)];
  return line?.replace(control, " ").trim() || undefined;
}

/** Matches a control character. Those that are left at the end have no part in the reason, such as a bell. */
const control = /\p{Cc}/gu;

/** Returns the part of a line that a terminal shows: a progress bar writes a carriage return, then over the line. */
function shownOf(line: string): string {
  return line.slice(line.lastIndexOf("\r") + 1);
}

/** Returns whether the line can contain the reason. */
function isCandidate(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (WHAT.test(line)) return true;
  const isGoFrame = line.endsWith(")") && lines[index + 1]?.startsWith("\t/");
  return !isGoFrame && !/^\s/.test(line) && !FURNITURE.some((pattern) => pattern.test(line));
}

/**
 * Returns the index of the first line of the reason. The first line of an error message is usually the most
 * informative. `last` is the index of the last line that can contain the reason.
 */
function firstOfReason(lines: readonly string[], last: number): number {
  const paragraph = startOfParagraph(lines, last);
  const announcement = lines.slice(paragraph, last).findIndex(isAnnouncement);
  if (announcement >= 0) return paragraph + announcement + 1;
  if (NPM_ERROR.test(lines[last] ?? "")) {
    return lines.findIndex((line, index) => index >= paragraph && NPM_ERROR.test(line) && isCandidate(lines, index));
  }
  // A traceback is above the message (Python), or a stack is below it (JavaScript). Without either, these are lines of
  // a log.
  const isTrace = isDetail(lines[paragraph - 1]) || isDetail(lines[last + 1]);
  const header = isTrace ? lines.slice(paragraph, last).findIndex((line) => HEADER.test(line)) : -1;
  return header < 0 ? last : paragraph + header;
}

/** Returns the index of the first of the lines directly above `last` that are neither blank nor indented. */
function startOfParagraph(lines: readonly string[], last: number): number {
  let start = last;
  while (start > 0 && lines[start - 1] !== "" && !isDetail(lines[start - 1])) start -= 1;
  return start;
}

function isDetail(line: string | undefined): boolean {
  return line !== undefined && /^\s+\S/.test(line);
}
