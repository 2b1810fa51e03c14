/** A process tree that a handler can end synchronously. */
export interface Reapable {
  killSync(): void;
}

/** Ends registered trees when this process ends, as far as a process can. */
interface Reaper {
  readonly trees: Set<Reapable>;
  readonly remove: () => void;
}

const key = Symbol.for("acp-kit.reaper");
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends `tree` when this process exits, and when a signal without another handler ends it. `SIGKILL` and crashes of the runtime
 * can't be caught here: that is the purpose of the ledger. Returns the function that unregisters it.
 *
 * The handlers exist once per process, however many agents run and copies of this package are installed, and only while they
 * are needed.
 */
export function reapOnExit(tree: Reapable): () => void {
  const shared = process as { [key]?: Reaper };
  shared[key] ??= install();
  const reaper = shared[key];
  reaper.trees.add(tree);
  return () => {
    reaper.trees.delete(tree);
    if (reaper.trees.size > 0 || shared[key] !== reaper) return;
    reaper.remove();
    delete shared[key];
  };
}

function install(): Reaper {
  const trees = new Set<Reapable>();
  const reap = (): void => {
    for (const tree of trees) tree.killSync();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return; // another handler decides; `exit` follows if the process ends
    reap();
    remove();
    process.kill(process.pid, signal); // as it would have ended without us
  };
  const remove = (): void => {
    process.off("exit", reap);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", reap);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { trees, remove };
}
