/** The signals that a client may send to its agent. `SIGKILL` and `SIGSTOP` can't be handled; `SIGUSR1` is Node's. */
const signals: readonly NodeJS.Signals[] =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/**
 * Calls `passOn` for each of the `signals` above that this process receives. The signal then does not end this process.
 * The returned function removes the listeners.
 */
export function passedSignals(passOn: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, passOn);
  return () => {
    for (const signal of signals) process.off(signal, passOn);
  };
}
