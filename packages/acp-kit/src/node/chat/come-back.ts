import type { AgentConnection, Session } from "@acp-kit/client";
import type { AgentCommand } from "../agent-argument.js";
import { type AgentTarget, isRemote, shownUrl } from "../agent-target.js";
import type { Host } from "../host.js";
import { cleanLine } from "./text/clean.js";

const capabilities = ["agentCapabilities.loadSession", "agentCapabilities.sessionCapabilities.resume"];

/** Whether a saved session can be opened, as far as the agent has said. */
export function canGoOn(agent: AgentConnection | undefined): boolean {
  return agent !== undefined && capabilities.some((name) => agent.offers(name));
}

/** What a user reads when the agent has ended by itself: what is lost, and what to do next. */
export function lostText(agent: AgentConnection | undefined, session: Session | undefined): string {
  const goOn = session && canGoOn(agent) ? `; /load ${cleanLine(session.sessionId)} goes on with this one` : "";
  return `The agent has ended, and this session with it. /new starts it again with a new session${goOn}.`;
}

/** The lines at the end of a conversation that say how to go on with it. */
export function comeBackText(sessionId: string, agent: AgentTarget, { redactor }: Pick<Host, "redactor">): string {
  const words = isRemote(agent) ? `--url ${quoted(shownUrl(agent.url))}` : `-- ${commandText(agent, redactor)}`;
  return `Go on later: acp-kit chat --continue ${words}\n  or, by its id: acp-kit chat --session ${quoted(sessionId)} ${words}`;
}

function commandText({ command, args }: AgentCommand, redactor: Host["redactor"]): string {
  const given = [command, ...args];
  return (redactor?.redactCommand(given) ?? given).map(quoted).join(" ");
}

/** A word as a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
