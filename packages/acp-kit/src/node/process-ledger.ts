import { type AgentLedger, createLedger } from "@acp-kit/stdio/node";
import type { Host } from "./host.js";
import { stateDirectory } from "./state-directory.js";

/**
 * Where the processes that commands start are remembered, so that the next one ends what is left of a run that was killed. `undefined` where
 * nothing can be written, and on Windows, which tells about its processes only through PowerShell: that takes longer than most agents.
 */
export function processLedger({ env }: Host): AgentLedger | undefined {
  const directory = process.platform === "win32" ? undefined : stateDirectory("agents", env);
  return directory === undefined ? undefined : createLedger(directory);
}
