import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandLine } from "./program.js";

/** A command line that runs, as a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when standard output, or standard error, has this text; rejects when the process ends without. */
  until(stream: "out" | "err", text: string): Promise<void>;
  /** Resolves when the process has ended and all it wrote was read. */
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
  /** Leaves standard input open, for the test to write to. */
  readonly keepsStdin?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder to work in and a home, both empty; removed by `remove`. */
export function sandbox(): { readonly cwd: string; readonly home: string; remove(): void } {
  const box = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-cli-"));
  const [cwd, home] = [join(box, "work"), join(box, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder);
  return { cwd, home, remove: () => rmSync(box, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Starts `acp-kit` with these words. */
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
  child.stdin.on("error", () => {}); // it may end before it has read
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
        void ended.then((end) => reject(new Error(`It ended without "${wanted}": ${JSON.stringify(end)}`)));
        look();
      }),
  };
}

/** The command of the demo agent, as what stands behind `--`. */
export async function demoAgent(...args: readonly string[]): Promise<string[]> {
  return ["--", process.execPath, await commandLine(), "demo-agent", "--pace", "0", ...args];
}

/** The command of an agent that goes its own ways; see `fixtures/raw-agent.mjs`. */
export function rawAgent(...args: readonly string[]): string[] {
  return ["--", process.execPath, fileURLToPath(new URL("fixtures/raw-agent.mjs", import.meta.url)), ...args];
}

/** Which of the processes that a stubborn agent noted still run. */
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
  if (pids.length === 0 || pids.some((pid) => !(pid > 1))) throw new Error(`Not processes: ${JSON.stringify(pids)}`);
}

/** One that has ended, and whose new parent has not looked yet. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1));
  } catch {
    return false; // no such table, or it has gone
  }
}
