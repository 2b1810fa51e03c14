import { type AgentLedger, createLedger } from "@acp-kit/stdio/node";
import { cleanLine } from "./chat/text/clean.js";
import { detachedText } from "./detached-text.js";
import type { Host } from "./host.js";
import type { Log } from "./log.js";
import { stateDirectory } from "./state-directory.js";

/**
 * Opens the ledger, a record of the running agent processes. If a run of `acp-kit` is killed, the next command reads
 * the ledger and ends the processes that are still running. Returns `undefined` if the directory can't be written, and
 * on Windows, because processes can be listed only with PowerShell there, and this takes longer than the start of most
 * agents.
 */
export function processLedger({ env }: Host): AgentLedger | undefined {
  const directory = process.platform === "win32" ? undefined : stateDirectory("agents", env);
  return directory === undefined ? undefined : createLedger(directory);
}

/**
 * Ends the agents that an earlier run left, because it was killed. Logs a warning that names the processes that these
 * agents have left and that still run. Never rejects: a failed cleanup must not stop the command.
 */
export async function reapAgents(ledger: AgentLedger | undefined, log: Log): Promise<void> {
  try {
    for (const { command, detachedProcesses } of (await ledger?.reap()) ?? []) {
      log.debug(
        `ended what an earlier run of acp-kit, which was killed, had left of the agent "${cleanLine(command)}"`,
      );
      const running = detachedProcesses.filter(({ ended }) => !ended);
      if (running.length > 0) log.warn(`an earlier run of acp-kit was killed. ${detachedText(running)}`);
    }
  } catch {
    // The next run tries again.
  }
}
