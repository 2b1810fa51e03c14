import type { AgentCommand } from "../agent-argument.js";

/** The line at the end of a conversation that says how to go on with it. */
export function comeBackText(sessionId: string, { command, args }: AgentCommand): string {
  const words = [command, ...args].map(quoted).join(" ");
  return `Go on later: acp-kit chat --continue -- ${words}\n  or, by its id: acp-kit chat --session ${quoted(sessionId)} -- ${words}`;
}

/** A word as a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
