import { builtin } from "./builtins.js";
import { bootId } from "./process-scope.js";

/** One row of the system's process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** `undefined` on systems that don't show it. */
  readonly session: number | undefined;
  /** Ended, but not yet collected by its parent. */
  readonly zombie: boolean;
  /** Together with the pid it identifies one process for ever: pids are reused. Opaque. */
  readonly startTime: string;
  /** When it started, to compare processes of one table with each other. The unit depends on the system. */
  readonly startOrder: number;
}

/** How much output of `ps` is read: a process can make its own line as long as its arguments and environment may be. */
export const MAX_PS_BYTES = 67_108_864;

/** Returns the row of one process; `undefined` when it does not exist, or when the system doesn't show it. */
export function processRow(pid: number): ProcessRow | undefined {
  if (process.platform === "linux") return linuxRow(pid, bootId());
  if (process.platform === "win32") return windowsRow(pid);
  return psRows(["-p", String(pid)])?.[0];
}

/** Returns the processes of a group; `undefined` where the system has no groups, or doesn't show them. */
export function groupMembers(group: number): ProcessRow[] | undefined {
  if (process.platform === "win32") return undefined;
  const rows = process.platform === "linux" ? linuxRows() : psRows(["-A"]);
  return rows?.filter((row) => row.group === group);
}

/** The pids in `/proc`; `undefined` where it can't be read. */
export function linuxPids(): number[] | undefined {
  try {
    const names = builtin("fs").readdirSync("/proc");
    return names.filter((name) => /^\d+$/.test(name)).map(Number);
  } catch {
    return undefined;
  }
}

/** Returns the output of `ps` with these arguments; `undefined` when it fails or prints more than {@link MAX_PS_BYTES}. */
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
  let stat: string;
  try {
    stat = builtin("fs").readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name in parentheses may contain anything, parentheses and spaces included; the fields after the last one are regular.
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

/** PowerShell is slow; it runs only for a ledger. */
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
