import { builtin } from "./builtins.js";

/** How much of the end of standard error is looked at, and how much of each line: what the patterns below can cost is bounded by that. */
const MAX_TEXT = 16_384;
const MAX_LINE = 300;

/** Lines that runtimes and tools print around the reason, and never hold it. Unindented ones only: an indented line is a detail of the one above. */
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
  /^[\^~]+$/, // the place in the source line above
  /^Caused by:$/,
  /^npm (?:error|ERR!) (?:code \S+|\d+|A complete log .*|)$/,
];

/** The first line of a reason: `Error: …`, `pkg.mod.SomeError: …`, `Uncaught …`, `panic: …`. */
const HEADER =
  /^(?:(?:Uncaught|Unhandled|Exception|Caused by|error|fatal|panic|PHP Fatal)\b|[\w$.]{0,200}(?:Error|Exception|Rejection|Warning)\b)/i;

/** Whether the line after this one is the reason: `thread 'main' panicked at src/main.rs:2:5:` (Rust). */
function isAnnouncement(line: string): boolean {
  return /^thread '[^']*'/.test(line) && line.includes(" panicked at ") && line.endsWith(":");
}

/** npm's error: its first line says most. Its warnings stand above it. */
const NPM_ERROR = /^npm (?:error|ERR!) /;

/** An indented line that holds the reason nevertheless: C++. */
const WHAT = /^ {1,8}what\(\): /;

/**
 * Returns the line of a process's standard error that says why the process ended: the message of an uncaught error, not
 * the stack or the runtime's version, or else the last meaningful line. It returns `undefined` if there is no such
 * line. The line has at most 300 characters, without control sequences of terminals.
 */
export function crashLine(stderr: string): string | undefined {
  const text = builtin("util").stripVTControlCharacters(stderr.slice(-MAX_TEXT));
  const lines = text.split("\n").map((line) => line.slice(0, MAX_LINE).trimEnd());
  const last = lines.findLastIndex((_, index) => isCandidate(lines, index));
  const line = last < 0 ? lines.findLast((each) => each !== "") : lines[firstOfReason(lines, last)];
  return line?.trim() || undefined;
}

/** Whether the line can hold the reason. */
function isCandidate(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (WHAT.test(line)) return true;
  const isGoFrame = line.endsWith(")") && lines[index + 1]?.startsWith("\t/");
  return !isGoFrame && !/^\s/.test(line) && !FURNITURE.some((pattern) => pattern.test(line));
}

/** A message can have more than one line; its first one says most. `last` is its last one. */
function firstOfReason(lines: readonly string[], last: number): number {
  const paragraph = startOfParagraph(lines, last);
  const announcement = lines.slice(paragraph, last).findIndex(isAnnouncement);
  if (announcement >= 0) return paragraph + announcement + 1;
  if (NPM_ERROR.test(lines[last] ?? "")) {
    return lines.findIndex((line, index) => index >= paragraph && NPM_ERROR.test(line) && isCandidate(lines, index));
  }
  // A traceback stands above the message (Python), or a stack below it (JavaScript): else these are lines of a log.
  const isTrace = isDetail(lines[paragraph - 1]) || isDetail(lines[last + 1]);
  const header = isTrace ? lines.slice(paragraph, last).findIndex((line) => HEADER.test(line)) : -1;
  return header < 0 ? last : paragraph + header;
}

/** The first of the lines above `last`, without one that is blank or indented between them. */
function startOfParagraph(lines: readonly string[], last: number): number {
  let start = last;
  while (start > 0 && lines[start - 1] !== "" && !isDetail(lines[start - 1])) start -= 1;
  return start;
}

function isDetail(line: string | undefined): boolean {
  return line !== undefined && /^\s+\S/.test(line);
}
