/** The signals that a client may send its agent. `SIGKILL` and `SIGSTOP` can't be seen; `SIGUSR1` would start Node's debugger. */
const signals: readonly NodeJS.Signals[] =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/**
 * Calls a function for each signal that this process receives; the signal then does not end the process. Returns a
 * function that ends this behaviour.
 */
export function passedSignals(passOn: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, passOn);
  return () => {
    for (const signal of signals) process.off(signal, passOn);
  };
}
