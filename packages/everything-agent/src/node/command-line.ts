import { fileURLToPath } from "node:url";

/** The command that starts the agent without its name on the `PATH`: with this Node, from this installation. */
export function everythingAgentCommand(args: readonly string[] = []): { command: string; args: string[] } {
  return { command: process.execPath, args: [fileURLToPath(new URL("./main.js", import.meta.url)), ...args] };
}
