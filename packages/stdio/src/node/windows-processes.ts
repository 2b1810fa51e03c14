import { builtin } from "./builtins.js";

/** A row of the process table of Windows. */
export interface WindowsProcess {
  readonly pid: number;
  /** The creator's pid, also after the creator has ended and Windows gave the pid to another process. */
  readonly parent: number;
  /** The creation time as Windows writes it. Together with the pid, it identifies the process. */
  readonly startTime: string;
  /** The creation time in milliseconds since 1970. */
  readonly startMs: number;
  /** The name of the program, without its path. */
  readonly command: string;
}

/** Runs a program and resolves with its output, or rejects. Tests replace {@link runProgram}. */
export type RunProgram = (file: string, args: readonly string[]) => Promise<string>;

/** The time in milliseconds that PowerShell and `taskkill` may take. */
const RUN_MS = 5_000;

/** The number of bytes of output that are read; a process takes less than 300. */
const MAX_OUTPUT_BYTES = 4_194_304;

/** The time from 1601, the first year of Windows' file times, to 1970, in milliseconds. */
const EPOCH_MS = 11_644_473_600_000;

const query =
  'Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc()) $($_.Name)" }';

/** Runs a program without a window. */
export const runProgram: RunProgram = (file, args) =>
  new Promise((resolve, reject) => {
    const options = { encoding: "utf8", windowsHide: true, timeout: RUN_MS, maxBuffer: MAX_OUTPUT_BYTES } as const;
    builtin("child_process").execFile(file, args, options, (error, output) =>
      error ? reject(error) : resolve(output),
    );
  });

/** Returns all processes of Windows, or `undefined` if PowerShell does not list them in time. */
export async function listProcesses(run: RunProgram): Promise<WindowsProcess[] | undefined> {
  try {
    return parseProcesses(await run("powershell.exe", ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", query]));
  } catch {
    return undefined;
  }
}

/** Ends one process, without its descendants. Never rejects. */
export async function endProcess(pid: number, run: RunProgram): Promise<void> {
  await run("taskkill", ["/PID", String(pid), "/F"]).catch(() => {}); // it may have just ended
}

/** Parses lines of pid, parent, creation time and name. */
export function parseProcesses(output: string): WindowsProcess[] {
  return output.split("\n").flatMap((line) => {
    const [pid = "", parent = "", startTime = "", ...name] = line.trim().split(" ");
    if (![pid, parent, startTime].every((column) => /^\d{1,20}$/.test(column)) || name.length === 0) return [];
    const startMs = Number(startTime) / 10_000 - EPOCH_MS;
    return [{ pid: Number(pid), parent: Number(parent), startTime, startMs, command: name.join(" ").slice(0, 200) }];
  });
}
