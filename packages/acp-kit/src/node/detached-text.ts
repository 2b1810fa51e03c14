import type { DetachedProcess } from "@acp-kit/stdio/node";
import { cleanLine } from "./chat/text/clean.js";

/** Maximum number of processes listed by name; the others are counted. */
const MAX_NAMED = 10;

/** Formats the line that names the processes an agent left running outside of its process group. */
export function detachedText(processes: readonly DetachedProcess[]): string {
  const named = processes.slice(0, MAX_NAMED).map(({ pid, command }) => `${cleanLine(command)} (pid ${pid})`);
  const others = processes.length > MAX_NAMED ? [`${processes.length - MAX_NAMED} more`] : [];
  return `The agent left ${processes.length === 1 ? "a process" : `${processes.length} processes`} running: ${[...named, ...others].join(", ")}`;
}
