import { type AgentLedger, createLedger } from "@acp-kit/stdio/node";
import type { Host } from "./host.js";
import { stateDirectory } from "./state-directory.js";

/**
 * Opens the ledger, a record of the running agent processes. If a run of `acp-kit` is killed, the next command reads
 * the ledger and ends the processes that are still running. Returns `undefined` if the directory can't be written, and
 * on Windows, because processes can be listed only with PowerShell there, and this takes longer than the start of most agents.
 */
export function processLedger({ env }: Host): AgentLedger | undefined {
  const directory = process.platform === "win32" ? undefined : stateDirectory("agents", env);
  return directory === undefined ? undefined : createLedger(directory);
}
