import { constants } from "node:os";

/** Ends this process by the signal that ended the agent, so that the parent sees the same end. Never resolves. */
export async function dieOf(signal: NodeJS.Signals): Promise<void> {
  process.removeAllListeners(signal);
  if (process.platform !== "win32") {
    process.kill(process.pid, signal);
    // The signal ends this process in this time, unless it is a signal that ends no process
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  process.exit(128 + (constants.signals[signal] ?? 0));
}
