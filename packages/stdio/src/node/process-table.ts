import { builtin } from "./builtins.js";
import { readProcFile } from "./proc-file.js";
import { bootId } from "./process-scope.js";

/** One row of the system's process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session id; `undefined` on systems that don't show it. */
  readonly session: number | undefined;
  /** Whether the process has ended, but its parent has not collected it yet. */
  readonly zombie: boolean;
  /** With the pid, identifies a process for ever; opaque. The system reuses pids. */
  readonly startTime: string;
  /** When the process started, in a unit of the system, to compare processes of the same table. */
  readonly startOrder: number;
}

/** The bytes of output of `ps` that are read. A line can be as long as arguments and environment together. */
export const MAX_PS_BYTES = 67_108_864;

/** The number of bytes of `/proc/<pid>/stat` that are read; its 52 fields take less. */
const MAX_STAT_BYTES = 4_096;

/** Returns the row of one process, or `undefined` if the process does not exist or the system doesn't show it. */
export function processRow(pid: number): ProcessRow | undefined {
  if (process.platform === "linux") return linuxRow(pid, bootId());
  if (process.platform === "win32") return windowsRow(pid);
  return psRows(["-p", String(pid)])?.[0];
}

/** Returns the processes of a group, or `undefined` if the system has no groups or doesn't show them. */
export function groupMembers(group: number): ProcessRow[] | undefined {
  if (process.platform === "win32") return undefined;
  const rows = process.platform === "linux" ? linuxRows() : psRows(["-A"]);
  return rows?.filter((row) => row.group === group);
}

/** Returns the pids in `/proc`, or `undefined` if it can't be read. */
export function linuxPids(): number[] | undefined {
  try {
    const names = builtin("fs").readdirSync("/proc");
    return names.filter((name) => /^\d+$/.test(name)).map(Number);
  } catch {
    return undefined;
  }
}

/** Returns the output of `ps`, or `undefined` if it fails or prints more than {@link MAX_PS_BYTES}. */
export function runPs(args: readonly string[]): string | undefined {
  try {
    return builtin("child_process").execFileSync("ps", args, {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: MAX_PS_BYTES,
    });
  } catch {
    return undefined; // `ps -p` also fails when the process does not exist
  }
}

function linuxRows(): ProcessRow[] | undefined {
  const boot = bootId();
  return linuxPids()?.flatMap((pid) => linuxRow(pid, boot) ?? []);
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function linuxRow(pid: number, boot: string): ProcessRow | undefined {
  const stat = readProcFile(`/proc/${pid}/stat`, MAX_STAT_BYTES);
  if (!stat) return undefined;
  // The name in parentheses can contain any character, even parentheses and spaces. The fields after the last
  // parenthesis are regular.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = "", group = "", session = ""] = fields;
  const ticks = fields[19] ?? ""; // field 22, in ticks since the system started
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === "Z" || state === "X",
    startTime: `${boot}:${ticks}`,
    startOrder: Number(ticks),
  };
}

function psRows(selection: readonly string[]): ProcessRow[] | undefined {
  const columns = ["-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart="];
  const output = runPs([...selection, ...columns]);
  return output === undefined ? undefined : parsePs(output);
}

/** Returns the row of a process on Windows. Only for a ledger, because it starts PowerShell, which is slow. */
function windowsRow(pid: number): ProcessRow | undefined {
  const query = `Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}' | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }`;
  try {
    const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", query];
    const { execFileSync } = builtin("child_process");
    const output = execFileSync("powershell.exe", options, { encoding: "utf8", windowsHide: true });
    const [, parent, startTime] = /^\d+ (\d+) (\d+)/.exec(output) ?? [];
    if (startTime === undefined) return undefined;
    const startOrder = Number(startTime);
    return { pid, parent: Number(parent), group: 0, session: undefined, zombie: false, startTime, startOrder };
  } catch {
    return undefined;
  }
}

/** Parses the output of `ps -o pid= -o ppid= -o pgid= -o stat= -o lstart=`. */
export function parsePs(output: string): ProcessRow[] {
  return output.split("\n").flatMap((line) => {
    const [pid = "", parent = "", group = "", state = "", ...words] = line.trim().split(/\s+/);
    const startTime = words.join(" ");
    if (startTime === "" || ![pid, parent, group].every((column) => /^\d+$/.test(column))) return [];
    const row = { pid: Number(pid), parent: Number(parent), group: Number(group), session: undefined };
    return [{ ...row, zombie: state.startsWith("Z"), startTime, startOrder: Date.parse(`${startTime} UTC`) }];
  });
}
