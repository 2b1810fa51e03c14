import { constants } from "node:os";

/** Ends this process by the signal that ended the agent, so that the parent process sees the same end. Never resolves. */
export async function dieOf(signal: NodeJS.Signals): Promise<void> {
  process.removeAllListeners(signal);
  if (process.platform !== "win32") {
    process.kill(process.pid, signal);
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // delivered immediately, unless this signal doesn't end processes
  }
  process.exit(128 + (constants.signals[signal] ?? 0));
}
