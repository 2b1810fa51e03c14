import { type AgentLedger, createLedger } from "@acp-kit/stdio/node";
import type { Host } from "./host.js";
import { stateDirectory } from "./state-directory.js";

/**
 * Opens the ledger of running agent processes, by which the next command ends processes that a killed run left behind. `undefined` where
 * the directory can't be written, and on Windows, where only PowerShell lists processes: that takes longer than starting most agents.
 */
export function processLedger({ env }: Host): AgentLedger | undefined {
  const directory = process.platform === "win32" ? undefined : stateDirectory("agents", env);
  return directory === undefined ? undefined : createLedger(directory);
}
