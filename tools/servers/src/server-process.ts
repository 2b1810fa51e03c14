import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A server program that a test has started. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Returns the text that the program has written to stdout and stderr. */
  readonly output: () => string;
  /** Resolves when the output contains this text. Rejects if the program ends without it. */
  until(text: string): Promise<void>;
  /** Sends a signal, by default SIGTERM, also to the children unless it is SIGTERM or SIGINT. Resolves at the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Stops the program and its children immediately (SIGSTOP). `thaw` continues them. */
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
  child.on("error", (error) => {
    text += String(error);
  });
  // `once` rejects if the program cannot be started, but `close` follows in that case, too.
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve())).then(() => {
    running.delete(child);
    for (const look of listeners) look();
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
    freeze: () => {
      if (child.pid !== undefined) stopTree(child.pid);
    },
    thaw: () => signalAll(child, "SIGCONT"),
  };
}

/**
 * SIGTERM and SIGINT are for the program itself, which ends its children. Other signals go to each process, because
 * PostgreSQL's children are in process groups of their own.
 */
function signalAll(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  const all = signal === "SIGTERM" || signal === "SIGINT" ? [pid] : [pid, ...descendants(pid)];
  for (const one of all) {
    try {
      process.kill(one, signal);
    } catch {
      // The process has ended.
    }
  }
}

/** Stops a process, and then its children, so that it can't start more of them. */
function stopTree(pid: number): void {
  try {
    process.kill(pid, "SIGSTOP");
  } catch {
    return; // the process has ended
  }
  for (const child of childrenOf(pid)) stopTree(child);
}

function descendants(parent: number): number[] {
  return childrenOf(parent).flatMap((pid) => [pid, ...descendants(pid)]);
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
