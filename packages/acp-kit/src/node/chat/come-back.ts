import type { AgentCapability, AgentConnection, Session } from "@acp-kit/client";
import type { AgentCommand } from "../agent-target.js";
import { type AgentTarget, isRemote, shownUrl } from "../agent-target.js";
import type { Host } from "../host.js";
import { cleanLine } from "./text/clean.js";

const capabilities: readonly AgentCapability[] = [
  "agentCapabilities.loadSession",
  "agentCapabilities.sessionCapabilities.resume",
];

/** Returns whether the agent advertises that it can open a saved session. */
export function canGoOn(agent: AgentConnection | undefined): boolean {
  return agent !== undefined && capabilities.some((name) => agent.offers(name));
}

/** Returns the message for an agent that has ended by itself. It says what is lost, and what the user can do. */
export function lostText(agent: AgentConnection | undefined, session: Session | undefined): string {
  const goOn = session && canGoOn(agent) ? `; /load ${cleanLine(session.sessionId)} continues this session` : "";
  return `The agent has ended, and this session with it. /new starts the agent again with a new session${goOn}.`;
}

/** Returns the lines at the end of a conversation with the commands that continue it. */
export function comeBackText(sessionId: string, agent: AgentTarget, { redactor }: Pick<Host, "redactor">): string {
  const words = isRemote(agent) ? `--url ${quoted(shownUrl(agent.url))}` : `-- ${commandText(agent, redactor)}`;
  return `Continue this session later: acp-kit chat --continue ${words}\n  or, by its id: acp-kit chat --session ${quoted(sessionId)} ${words}`;
}

function commandText({ command, args }: AgentCommand, redactor: Host["redactor"]): string {
  const given = [command, ...args];
  return (redactor?.redactCommand(given) ?? given).map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
