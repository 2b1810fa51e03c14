import { fileURLToPath } from "node:url";

/**
 * Returns the command that starts the agent with the current Node executable and the installed package, so that the
 * agent need not be in `PATH`.
 */
export function everythingAgentCommand(args: readonly string[] = []): { command: string; args: string[] } {
  return { command: process.execPath, args: [fileURLToPath(new URL("./main.js", import.meta.url)), ...args] };
}
