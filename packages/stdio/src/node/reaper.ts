/** A process tree that an `exit` handler can end synchronously. */
export interface Reapable {
  killSync(): void;
}

/** The registered process trees, which are ended when this process ends, and the function that removes the handlers. */
interface Reaper {
  readonly trees: Set<Reapable>;
  readonly remove: () => void;
}

const key = Symbol.for("acp-kit.reaper");
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends `tree` when this process exits, and when a signal without another handler ends it. A process can't catch
 * `SIGKILL` or a crash of the runtime; for these cases, use a ledger. Returns a function that unregisters the tree.
 *
 * The handlers exist only once per process, however many agents run and however many copies of this package are
 * installed, and only while they are needed.
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
    // Another handler decides whether the process ends; if it does, the `exit` handler runs.
    if (process.listenerCount(signal) > 1) return;
    reap();
    remove();
    process.kill(process.pid, signal); // ends this process as the signal would have without this handler
  };
  const remove = (): void => {
    process.off("exit", reap);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", reap);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { trees, remove };
}
