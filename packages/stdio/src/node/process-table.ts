import { builtin } from "./builtins.js";

/** One row of the system's process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Ended, but not yet collected by its parent. */
  readonly zombie: boolean;
  /** Together with the pid it names one process for ever: pids are used again. Opaque. */
  readonly startTime: string;
}

/** The row of one process; `undefined` when there is none, or when the system doesn't tell. */
export function processRow(pid: number): ProcessRow | undefined {
  if (process.platform === "linux") return linuxRow(pid, bootId());
  if (process.platform === "win32") return windowsRow(pid);
  return psRows(["-p", String(pid)])[0];
}

/** The processes of a group; `undefined` where the system has none. */
export function groupMembers(group: number): ProcessRow[] | undefined {
  if (process.platform === "win32") return undefined;
  const rows = process.platform === "linux" ? linuxRows() : psRows(["-A"]);
  return rows.filter((row) => row.group === group);
}

/** Whether the environment that a process was started with holds `mark`. */
export function carriesMark(pid: number, mark: string): boolean {
  try {
    if (process.platform === "linux") {
      return builtin("fs").readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
    }
    const { execFileSync } = builtin("child_process");
    const columns = execFileSync("ps", ["eww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return columns.split(/\s/).includes(mark);
  } catch {
    return false; // it has ended, or is not ours to look at
  }
}

function linuxRows(): ProcessRow[] {
  const boot = bootId();
  const names = builtin("fs").readdirSync("/proc");
  return names.flatMap((name) => {
    const row = /^\d+$/.test(name) ? linuxRow(Number(name), boot) : undefined;
    return row === undefined ? [] : [row];
  });
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function linuxRow(pid: number, boot: string): ProcessRow | undefined {
  let stat: string;
  try {
    stat = builtin("fs").readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything, parentheses and spaces included; what follows the last one is regular.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = "", group = ""] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    zombie: state === "Z" || state === "X",
    startTime: `${boot}:${fields[19] ?? ""}`, // field 22, in ticks since the system started
  };
}

function bootId(): string {
  try {
    return builtin("fs").readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}

function psRows(selection: readonly string[]): ProcessRow[] {
  try {
    const columns = ["-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart="];
    const output = builtin("child_process").execFileSync("ps", [...selection, ...columns], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 16_777_216,
    });
    return parsePs(output);
  } catch {
    return []; // `ps -p` fails when there is no such process
  }
}

/** PowerShell takes its time; this is only asked for a ledger. */
function windowsRow(pid: number): ProcessRow | undefined {
  const query = `Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}' | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }`;
  try {
    const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", query];
    const { execFileSync } = builtin("child_process");
    const output = execFileSync("powershell.exe", options, { encoding: "utf8", windowsHide: true });
    const [, parent, startTime] = /^\d+ (\d+) (\d+)/.exec(output) ?? [];
    return startTime === undefined ? undefined : { pid, parent: Number(parent), group: 0, zombie: false, startTime };
  } catch {
    return undefined;
  }
}

/** Reads what `ps -o pid= -o ppid= -o pgid= -o stat= -o lstart=` prints. */
export function parsePs(output: string): ProcessRow[] {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, group, state = "", startTime = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state.startsWith("Z"), startTime },
    ];
  });
}
