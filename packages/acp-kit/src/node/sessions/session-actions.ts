import type { AgentConnection } from "@acp-kit/client";
import type { IncomingSessionUpdate, SessionInfo } from "@acp-kit/types";
import { cleanLine } from "../chat/text/clean.js";
import { CommandFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import { hideInText, hideInUpdates, hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { jsonText } from "../json-text.js";
import { missingCapabilitySentence } from "../missing-capability.js";
import { abortable } from "../run/abortable.js";
import { columns } from "../text-columns.js";
import { HistoryText } from "./history-text.js";

/** The parameters of an action of `acp-kit sessions`. */
export interface SessionAction {
  readonly agent: AgentConnection;
  readonly host: Host;
  readonly json: boolean;
  readonly stop: AbortSignal;
}

/** Prints the sessions, newest first. Each session is a line of text or, with `json`, an object. */
export async function listSessions({ agent, host, json, stop }: SessionAction, cwd: string | undefined): Promise<void> {
  const { stdout } = host;
  const { dim } = stdout.colours;
  const found: SessionInfo[] = [];
  for await (const info of agent.listSessions({ signal: stop, ...(cwd !== undefined && { cwd }) })) {
    if (json) stdout.line(jsonText(hideInValue(info, host)));
    else found.push(info);
  }
  if (json) return;
  const rows = found.map(({ sessionId, title, cwd, updatedAt }) => [
    cleanLine(sessionId),
    dim(cleanLine((updatedAt ?? "").slice(0, 16).replace("T", " "))),
    dim(cleanLine(cwd)),
    cleanLine(hideInText(title ?? "", host)) || dim("(no title)"),
  ]);
  if (rows.length === 0) stdout.line(dim("There are no sessions."));
  for (const line of columns(rows)) stdout.line(line);
}

/** Prints the history of a session as text or, with `json`, each update as an object on its own line. */
export async function showSession(action: SessionAction, sessionId: string): Promise<void> {
  const { agent, host, json, stop } = action;
  const { cwd } = await find(action, sessionId);
  const text = new HistoryText(host);
  const hide = hideInUpdates<IncomingSessionUpdate>(host, sessionId);
  await agent.loadSession(
    { sessionId, cwd },
    {
      signal: stop,
      onUpdate(update) {
        if (json) host.stdout.line(jsonText(hide(update)));
        else text.add(update);
        return host.stdout.full;
      },
    },
  );
  text.end();
}

/**
 * Ends the agent of a session. The history of the session is kept.
 *
 * @throws {CommandFailure} when the agent can't close sessions: `Session.close` would then do nothing.
 */
export async function closeSession(action: SessionAction, sessionId: string): Promise<void> {
  const { agent, stop } = action;
  if (!agent.offers("agentCapabilities.sessionCapabilities.close"))
    throw new CommandFailure(ExitCode.error, missingCapabilitySentence("session/close"));
  const { cwd } = await find(action, sessionId);
  const session = await agent.resumeSession({ sessionId, cwd }, { signal: stop });
  await abortable(session.close(), stop);
  stop.throwIfAborted();
}

/** Ends a session and removes its history. */
export async function deleteSession(action: SessionAction, sessionId: string): Promise<void> {
  const { agent, stop } = action;
  await find(action, sessionId);
  await abortable(agent.deleteSession(sessionId), stop);
  stop.throwIfAborted();
}

/** @throws {CommandFailure} when the agent has no such session. */
async function find({ agent, stop }: SessionAction, sessionId: string): Promise<SessionInfo> {
  for await (const info of agent.listSessions({ signal: stop })) if (info.sessionId === sessionId) return info;
  throw new CommandFailure(ExitCode.error, `There is no session ${sessionId}. \`acp-kit sessions\` lists them.`);
}
