import type { Environment } from "./child-environment.js";
import { readProcFile } from "./proc-file.js";
import { linuxPids, type ProcessRow, processRow, runPs } from "./process-table.js";

/** A process whose environment contains a mark. */
export interface MarkedProcess extends ProcessRow {
  /** The name of the program, without its arguments, which may contain secrets. */
  readonly command: string;
}

/**
 * The environment variable by which descendants of a child are recognised, even in other process groups. If this
 * process itself descends from such children, the value lists their marks first, then the mark of its own child.
 */
const VARIABLE = "ACP_KIT_AGENT";
const SEPARATOR = ":";

/**
 * The maximum number of marks in the variable. An agent can start further agents, and each start appends a mark; above
 * the maximum, the first marks in the list are dropped.
 */
const MAX_MARKS = 16;

/** The bytes of an environment that are read. Linux allows 2 MiB with arguments by default. */
const MAX_ENVIRONMENT_BYTES = 8_388_608;

/** The number of characters of a program's name that are reported. */
const MAX_COMMAND_CHARACTERS = 200;

/** Returns a new mark: a random text that identifies a child process and its descendants. */
export function createMark(): string {
  return crypto.randomUUID();
}

/** Returns the environment variable that marks a child and all its descendants, if the child inherits `parent`. */
export function markVariable(mark: string, parent: Environment): Record<string, string> {
  const outer = (parent[VARIABLE] ?? "").split(SEPARATOR).filter((each) => each !== "");
  return { [VARIABLE]: [...outer.slice(1 - MAX_MARKS), mark].join(SEPARATOR) };
}

/** Returns whether the environment of a process contained `mark` when the process started. */
export function carriesMark(pid: number, mark: string): boolean {
  if (process.platform === "win32") return false;
  if (process.platform === "linux") return linuxCarries(pid, mark);
  return parseMarked(runPs(["eww", "-o", "pid=", "-o", "command=", "-p", String(pid)]) ?? "", mark).length > 0;
}

/**
 * Returns the processes whose environment contains `mark`, if the system shows their environment. Windows does not show
 * the environment of other processes, so the result is empty on Windows.
 */
export function markedProcesses(mark: string): MarkedProcess[] {
  if (process.platform === "win32") return [];
  const found = process.platform === "linux" ? linuxMarked(mark) : psMarked(mark);
  return found.flatMap(([pid, command]) => {
    const row = processRow(pid);
    if (row === undefined || row.zombie || pid === process.pid) return [];
    return [{ ...row, command: command.slice(0, MAX_COMMAND_CHARACTERS) }];
  });
}

function linuxMarked(mark: string): [pid: number, command: string][] {
  const pids = linuxPids() ?? [];
  return pids.filter((pid) => linuxCarries(pid, mark)).map((pid) => [pid, linuxCommand(pid)]);
}

function linuxCarries(pid: number, mark: string): boolean {
  const environment = readProcFile(`/proc/${pid}/environ`, MAX_ENVIRONMENT_BYTES) ?? "";
  return environment.includes(mark) && environment.split("\0").some((variable) => isMarked(variable, mark));
}

function linuxCommand(pid: number): string {
  const [program] = readProcFile(`/proc/${pid}/cmdline`, 4_096)?.split("\0") ?? [];
  return program || (readProcFile(`/proc/${pid}/comm`, 4_096) ?? "").trim();
}

function psMarked(mark: string): [pid: number, command: string][] {
  return parseMarked(runPs(["axeww", "-o", "pid=", "-o", "command="]) ?? "", mark);
}

/**
 * Parses the output of `ps eww -o pid= -o command=`, and returns the processes that carry `mark`. Each line describes
 * one process: its pid, its command with arguments, and its environment, separated by spaces.
 */
export function parseMarked(output: string, mark: string): [pid: number, command: string][] {
  return output.split("\n").flatMap((line): [number, string][] => {
    if (!line.includes(mark)) return [];
    const [pid = "", command = "", ...words] = line.trim().split(/\s+/);
    return /^\d+$/.test(pid) && words.some((word) => isMarked(word, mark)) ? [[Number(pid), command]] : [];
  });
}

function isMarked(variable: string, mark: string): boolean {
  const [name, value = ""] = variable.split("=", 2);
  return name === VARIABLE && value.split(SEPARATOR).includes(mark);
}
