import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the settings of a user's agents, by name, into a home folder. */
export function writeAgentSettings(home: string, agents: Readonly<Record<string, object>>): void {
  const folder = join(home, ".config", "acp-kit");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agents.json"), JSON.stringify({ agents }));
}

/** Settings of an agent that executes a script of Node with these variables. */
export function scriptSettings(script: string, env: Readonly<Record<string, string>>): object {
  return { command: process.execPath, args: ["-e", script], env };
}
