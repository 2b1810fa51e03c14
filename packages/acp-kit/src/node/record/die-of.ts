import { constants } from "node:os";

/** Ends this process by the signal that ended the agent, so that whoever waits sees the same. Resolves only where that can't be. */
export async function dieOf(signal: NodeJS.Signals): Promise<void> {
  process.removeAllListeners(signal);
  if (process.platform !== "win32") {
    process.kill(process.pid, signal);
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // it is delivered within no time, or is one that doesn't end us
  }
  process.exit(128 + (constants.signals[signal] ?? 0));
}
