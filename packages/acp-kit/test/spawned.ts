import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandLine } from "./program.js";

/** A running process of the command line. */
export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when the stream contains the text; rejects if the process ends before. */
  until(stream: "out" | "err", text: string): Promise<void>;
  /** Resolves when the process has ended and its output has been read. */
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  /** Leaves standard input open, so that the test can write to it. */
  readonly keepsStdin?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates an empty working directory and an empty home directory. `remove` deletes both. */
export function sandbox(): { readonly cwd: string; readonly home: string; remove(): void } {
  const box = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-cli-"));
  const [cwd, home] = [join(box, "work"), join(box, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder);
  return { cwd, home, remove: () => rmSync(box, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Starts `acp-kit` with these arguments. */
export async function start(words: readonly string[], home: string, options: StartOptions = {}): Promise<Running> {
  const { PATH = "", SystemRoot } = process.env;
  const child = spawn(process.execPath, [await commandLine(), ...words], {
    cwd: options.cwd ?? home,
    env: { PATH, HOME: home, ...(SystemRoot && { SystemRoot }), ...options.env },
  });
  const text = { out: "", err: "" };
  const listeners = new Set<() => void>();
  for (const [name, stream] of [
    ["out", child.stdout],
    ["err", child.stderr],
  ] as const) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.on("error", () => {}); // the process may end before it has read its input
  if (!options.keepsStdin) child.stdin.end(options.stdin ?? "");
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, ...text }));
  });
  return {
    child,
    out: () => text.out,
    err: () => text.err,
    ended,
    until: (stream, wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!text[stream].includes(wanted)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        void ended.then((end) =>
          reject(new Error(`The process ended without the output "${wanted}": ${JSON.stringify(end)}`)),
        );
        look();
      }),
  };
}

/** Returns the end of a command line that starts the demo agent: `--` and the command of the agent. */
export async function demoAgent(...args: readonly string[]): Promise<string[]> {
  return ["--", process.execPath, await commandLine(), "demo-agent", "--pace", "0", ...args];
}

/**
 * Returns the end of a command line that starts an agent with unusual behaviour, see `fixtures/raw-agent.mjs`: `--` and
 * the command of the agent.
 */
export function rawAgent(...args: readonly string[]): string[] {
  return ["--", process.execPath, fileURLToPath(new URL("fixtures/raw-agent.mjs", import.meta.url)), ...args];
}

/** Returns the standard error of `acp-kit conformance` without the lines of progress that a slow run prints. */
export function withoutProgress(err: string): string {
  return err.replace(/^\d+ of \d+ scenarios\n/gm, "");
}

/** Returns the processes that still run, of those whose ids an agent wrote to a file. */
export function survivors(note: string): number[] {
  const pids = JSON.parse(readFileSync(note, "utf8")) as number[];
  expectProcesses(pids);
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
    } catch {
      return false;
    }
    return !isZombie(pid);
  });
}

function expectProcesses(pids: readonly number[]): void {
  if (pids.length === 0 || pids.some((pid) => !(pid > 1)))
    throw new Error(`The file does not contain process ids: ${JSON.stringify(pids)}`);
}

/** Whether a process has ended, but its parent has not read its exit status yet. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1));
  } catch {
    return false; // no /proc, or the process has ended
  }
}
