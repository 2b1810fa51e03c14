import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** A program of a test that listens. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Both outputs so far. */
  readonly output: () => string;
  /** Resolves when an output has this text; rejects when the program ends without. */
  until(text: string): Promise<void>;
  /** Sends a signal to the program and what it started; waits for the end where the signal ends it. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Stops the program, and what it started, in the middle of everything; `thaw` lets them continue. */
  freeze(): void;
  thaw(): void;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) signalAll(child, "SIGKILL");
});

/** Starts a program in a process group of its own. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly uid?: number; readonly gid?: number },
): ServerProcess {
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      for (const look of listeners) look();
    });
  const ended = once(child, "close").then(() => {
    running.delete(child);
    for (const look of listeners) look();
  });
  child.on("error", (error) => {
    text += String(error);
  });
  return {
    child,
    output: () => text,
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const isThere = text.includes(wanted);
          if (!isThere && running.has(child)) return;
          listeners.delete(look);
          if (isThere) resolve();
          else reject(new Error(`${command} ended: ${text}`));
        };
        listeners.add(look);
        look();
      }),
    end: async (signal = "SIGTERM") => {
      if (running.has(child)) signalAll(child, signal);
      await ended;
    },
    freeze: () => signalAll(child, "SIGSTOP"),
    thaw: () => signalAll(child, "SIGCONT"),
  };
}

/** A SIGTERM is for the program itself, which ends its own children; the others reach each process: PostgreSQL's make groups of their own. */
function signalAll(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  const all = signal === "SIGTERM" || signal === "SIGINT" ? [pid] : [pid, ...descendants(pid)];
  for (const one of all) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended.
    }
  }
}

function descendants(parent: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
  return children.flatMap((pid) => [pid, ...descendants(pid)]);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
